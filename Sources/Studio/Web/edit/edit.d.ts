// SPDX-License-Identifier: Apache-2.0
// The types of the editing window. The page does not load this file.

type Values = Record<string, any>;

/** A text, or texts by language. */
type LocalizedText = string | Record<string, string>;

type ParameterType = 'number' | 'integer' | 'angle' | 'boolean' | 'text' | 'choice' | 'file' | 'color' | 'point' | 'points'
    | 'rectangle' | 'curve';

/** A parameter of a manifest. */
interface Parameter {
    name: string;
    type: ParameterType;
    /** `crop`, `straighten`, `timeStart`, `timeEnd` or `automatic`; others are ignored. */
    role?: string;
    label?: LocalizedText;
    help?: LocalizedText;
    group?: LocalizedText;
    minimum?: number;
    maximum?: number;
    minimumCount?: number;
    maximumCount?: number;
    step?: number;
    unit?: string;
    choices?: (string | { value: string, label?: LocalizedText })[];
    visibleWhen?: { parameter: string, in: unknown[] };
    default?: any;
}

/** A row of `extensions --json`. */
interface ExtensionDetails {
    identifier: string;
    name: string | null;
    version?: string | null;
    description?: LocalizedText | null;
    reason?: string;
    trust?: 'shipped' | 'user' | 'none';
    supported?: boolean;
    /** Whether it can continue the last edit; null if it was not asked. */
    canHandle?: boolean | null;
    parameters?: Parameter[];
    /** The extension's own files, which are values of file parameters. */
    hashedFiles?: string[];
}

/** The server's answer to the start of a session. */
interface SessionDetails {
    id: string;
    extension: ExtensionDetails;
    values: Values;
    /** Whether the edit changes the motion of a Live Photo, too. */
    editsMotion: boolean;
    offeredPresets?: { name: string, label?: LocalizedText | null, values: Values }[];
}

/** A region in pixels of the full size of the edited picture. */
type PixelRegion = { x: number, y: number, width: number, height: number };

interface FrameRequest {
    revision: number;
    /** The longest side in pixels. */
    size: number;
    region?: PixelRegion;
}

/** A rendered preview. */
interface Frame {
    picture: ImageBitmap;
    /** The full size of the edited picture. */
    width: number;
    height: number;
    /** The values that the extension changed. */
    changed: Values;
}

/** The frames that the window can show. */
interface FrameSizes {
    /** The longest side while a control moves. */
    moving: number;
    resting: number;
    /** The longest side of a frame of the region. */
    detail: number;
    /** The visible part if whole frames are not sharp enough. */
    region: PixelRegion | null;
}

/** A point in fractions of the picture. */
type Point = { x: number, y: number };

/** A rectangle in fractions of the picture. */
type Rectangle = { x: number, y: number, width: number, height: number };

/** A point of a curve: x and y. */
type CurvePoint = [number, number];

/** What handles are placed on. */
interface HandleArea {
    /** The number of steps of the arrow keys across and down. */
    readonly steps: { width: number, height: number };
    readonly isDisabled: boolean;
    pointAt(event: MouseEvent): Point;
}

interface HandleOptions {
    label: string;
    class?: string;
    get(): Point;
    move(point: Point): void;
    settle(): void;
    remove?(): void;
}

/** What a parameter's value is set with. */
interface Control {
    root: Element;
    /** Shows a value. */
    set(value: any): void;
    /** What the control shows on the picture. */
    overlay?: import('./picture-overlay.js').PictureOverlay;
}

interface ControlContext {
    parameter: Parameter;
    label: string;
    labelId: string;
    helpId: string | null;
    change(value: any, isMoving?: boolean): void;
    /** Ends a movement. */
    settle(): void;
    /** Sets an automatic parameter. */
    choose(): void;
    stage: import('./edit-stage.js').EditStage;
    session: import('./edit-session.js').EditSession;
}

/** What the form does with the session. */
interface FormActions {
    change(changes: Values, moving: string): void;
    settle(): void;
    /** Sets an automatic parameter. */
    choose(name: string): void;
    stage: import('./edit-stage.js').EditStage;
    session: import('./edit-session.js').EditSession;
}
