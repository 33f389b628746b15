// SPDX-License-Identifier: Apache-2.0

import EditHost
import Logging
import Testing

@testable import Studio

@Suite("the port for other machines")
struct ListeningPortTests {
    @Test("a server for other machines knows the free port that it chooses")
    func freePort() throws {
        let fixture = try StudioFixture()
        var configuration = StudioConfiguration(
            hostName: "photos.example.org", webFolder: fixture.folder.file("web"),
            tokenFolder: fixture.folder.file("tokens"))
        configuration.listening = .init(address: "127.0.0.1", certificate: "c.pem", key: "k.pem")
        let server = try StudioServer(
            configuration, library: fixture.library, host: fixture.host,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let port = server.address.port
        #expect(port > 0)
        #expect(server.address.url == "https://photos.example.org:\(port)/")
    }

    @Test("an address that this machine does not have is rejected")
    func foreignAddress() {
        // 192.0.2.0/24 is reserved for documentation.
        #expect { try ListeningPort.free(requesting: 0, on: "192.0.2.1") } throws: { error in
            (error as? HostError)?.code == .badParameter
        }
    }
}
