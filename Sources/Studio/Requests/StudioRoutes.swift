// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Hummingbird
import Library
import RunnerHost

/// The requests that the server answers. docs/reference/studio.openapi.yaml describes them.
struct StudioRoutes: Sendable {
    static let loginPath = "/api/login"
    /// The paths of requests that do not change the library.
    private static let harmless = [loginPath, "/api/logout", "/api/views"]

    let library: PhotoLibrary
    let host: ExtensionHost
    /// The builds of the installed extensions, which some content keys depend on.
    let extensionBuilds: String
    let images: ImageManager
    let logins: LoginStore
    let events: EventCenter
    let sessions: StudioSessions
    let pictures: PictureStore
    let address: StudioAddress
    let configuration: StudioConfiguration
    let files: StaticFiles

    /// Returns whether requests with this path never change the library, with any method.
    static func isHarmless(_ path: String) -> Bool {
        harmless.contains(path) || path.hasPrefix("/api/views/")
    }

    /// The data other than the library that pictures depend on.
    static let seed = "rendering \(HostVersion.rendering)"

    var limits: StudioLimits { configuration.limits }
    var json: RequestJSON { RequestJSON(limits: limits) }

    /// Returns the current content key of an asset.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`.
    func contentKey(ofAsset identifier: String) throws -> ContentKey {
        try library.contentKey(
            ofAsset: identifier, seed: Self.seed, extensions: extensionBuilds)
    }

    /// Requires that an asset has a content key.
    ///
    /// - Throws: `StudioError` with `staleKey` if it has another one; `LibraryError`.
    func requireCurrent(_ key: ContentKey, ofAsset identifier: String) throws {
        guard try contentKey(ofAsset: identifier) == key else {
            throw StudioError(.staleKey, "the photo was edited; request its current content key")
        }
    }

    /// Returns the router with all requests.
    func router() -> Router<StudioContext> {
        let router = Router(context: StudioContext.self)
        router.add(
            middleware: SecurityCheck(
                address: address, logins: logins, isReadOnly: configuration.isReadOnly,
                publicPaths: files.paths))
        files.add(to: router)
        addLogin(to: router)
        addViews(to: router)
        addEvents(to: router)
        addPictures(to: router)
        addVideos(to: router)
        addAssets(to: router)
        addEdits(to: router)
        addEditStacks(to: router)
        addVersions(to: router)
        addAlbums(to: router)
        addExtensions(to: router)
        addSessions(to: router)
        addSessionPictures(to: router)
        rejectOtherMethods(of: router)
        return router
    }

    /// Answers other methods of each path with the status 405. Without this, the status would be 404.
    private func rejectOtherMethods(of router: Router<StudioContext>) {
        let known = Dictionary(grouping: router.routes) { "\($0.path)" }
        for routes in known.values {
            guard let path = routes.first?.path else { continue }
            let allowed = Set(routes.map(\.method))
            let response = ErrorResponse.methodNotAllowed(except: allowed)
            for method in Self.methods where !allowed.contains(method) {
                router.on(path, method: method) { _, _ in response }
            }
        }
    }

    private static let methods =
        [.get, .head, .post, .put, .patch, .delete, .options, .trace, .connect]
        + [HTTPRequest.Method("QUERY")].compactMap(\.self)
}
