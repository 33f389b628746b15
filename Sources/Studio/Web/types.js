// SPDX-License-Identifier: Apache-2.0

/**
 * The objects of the server's answers. docs/reference/studio.openapi.yaml describes them.
 *
 * @typedef {object} Row A photo of a view.
 * @property {string} id
 * @property {string} key The content key: it changes whenever the picture does.
 * @property {string} mediaType
 * @property {string[]} mediaSubtypes
 * @property {number} pixelWidth
 * @property {number} pixelHeight
 * @property {string | null} creationDate
 * @property {number} duration In seconds; 0 for still pictures.
 * @property {boolean} isFavorite
 * @property {boolean} isHidden
 * @property {string | null} filename
 * @property {string | null} adjustmentFormatIdentifier
 *
 * @typedef {Record<string, unknown>} Values
 *
 * @typedef {object} Edit
 * @property {string} edit
 * @property {string | null} extension
 * @property {string | null} version
 * @property {string | null} adjustmentFormatIdentifier
 * @property {string | null} adjustmentFormatVersion
 * @property {boolean} isEnabled
 * @property {Values | null} values
 * @property {string | null} valuesError
 * @property {string | null} date
 *
 * @typedef {object} HistoryState
 * @property {number} state
 * @property {string | null} extension
 * @property {boolean} isCurrent
 * @property {string | null} date
 * @property {Values | null} values
 *
 * @typedef {object} Version
 * @property {string} version
 * @property {boolean} isCurrent
 * @property {string[]} extensions
 * @property {string | null} date
 *
 * @typedef {object} Resource
 * @property {string} type
 * @property {string | null} filename
 * @property {number | null} size
 * @property {boolean} isStored
 *
 * @typedef {object} AssetFacts
 * @property {string[]} [keywords]
 * @property {string | null} [title]
 * @property {string | null} [description]
 * @property {string | null} [creator]
 * @property {string | null} [copyright]
 * @property {string | null} [label]
 * @property {number} [rating]
 * @property {number | null} [exposureTime]
 * @property {{ make: string | null, model: string | null } | null} [camera]
 * @property {string | null} [lens]
 * @property {{ latitude: number, longitude: number } | null} [location]
 * @property {{ codec: string | null, frameRate: number | null } | null} [video]
 * @property {string | null} [editLoss]
 * @property {{ state: string, url: string | null } | null} [original]
 * @property {Edit[]} [edits]
 * @property {HistoryState[]} [history]
 * @property {Version[]} [versions]
 * @property {Resource[]} [resources]
 *
 * @typedef {Row & AssetFacts} AssetDetails
 *
 * @typedef {object} Collection
 * @property {string} id
 * @property {'album' | 'folder' | 'smartAlbum' | 'moment'} kind
 * @property {string | null} title
 * @property {string | null} folder
 * @property {number | null} count
 * @property {string | null} [startDate]
 *
 * @typedef {object} ServerState
 * @property {string} version
 * @property {{ name: string }} library
 * @property {'owner' | 'reader'} role
 * @property {{ rows: number }} limits The largest number of rows in an answer.
 * @property {string} token
 *
 * @typedef {object} ViewChange Removals apply first, then insertions, then moves. If `removed` is null, the view must
 *     be opened again.
 * @property {string} view
 * @property {number} count
 * @property {number[]} removed
 * @property {number[]} inserted
 * @property {number[]} changed
 * @property {[number, number][]} moves
 */

export {};
