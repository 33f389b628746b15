// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

private let hasPrograms = ["curl", "openssl", "/usr/bin/python3"].allSatisfy {
    (try? runProgram("/usr/bin/env", ["sh", "-c", "command -v \($0)"]))?.status == 0
}

/// Downloads by the real `curl` from a TLS server on this machine.
@Suite(
    "downloads by https",
    .enabled(if: hasPrograms, "curl, openssl or python3 is not installed"))
struct DownloadTests {
    /// Serves the folder `files` by https and by http, runs a command and ends with its status. In the arguments of the
    /// command, PORT is replaced with the port of the TLS server. Requests are recorded in `requests`.
    ///
    /// `/secure/NAME` and `/plain/NAME` are redirected to NAME on either server.
    private static let server = #"""
        import functools, http.server, ssl, subprocess, sys, threading
        folder, certificate = sys.argv[1:3]
        ports = {}
        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self):
                with open(folder + "/requests", "a") as file:
                    file.write(self.server.scheme + " " + self.path + "\n")
                kind, _, name = self.path[1:].partition("/")
                schemes = {"secure": "https", "plain": "http"}
                if kind not in schemes:
                    return super().do_GET()
                self.send_response(302)
                scheme = schemes[kind]
                self.send_header("Location", "%s://localhost:%d/%s" % (scheme, ports[scheme], name))
                self.end_headers()
            def log_message(self, *arguments):
                pass
        for scheme in ("https", "http"):
            handler = functools.partial(Handler, directory=folder + "/files")
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
            server.scheme = scheme
            ports[scheme] = server.server_address[1]
            if scheme == "https":
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(certificate + ".pem", certificate + ".key")
                server.socket = context.wrap_socket(server.socket, server_side=True)
            threading.Thread(target=server.serve_forever, daemon=True).start()
        command = [word.replace("PORT", str(ports["https"])) for word in sys.argv[3:]]
        sys.exit(subprocess.run(command).returncode)
        """#

    private let bench: Workbench

    init() throws {
        bench = try Workbench()
        try bench.folder.write(Data(Self.server.utf8), to: "server.py")
        for (name, host) in [
            ("own", "localhost"), ("foreign", "localhost"), ("other", "example.org"),
        ] {
            let made = try runProgram(
                "/usr/bin/env",
                [
                    "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30",
                    "-subj", "/CN=\(host)", "-addext", "subjectAltName=DNS:\(host)",
                    "-keyout", bench.folder.file("\(name).key"),
                    "-out", bench.folder.file("\(name).pem"),
                ])
            try #require(made.status == 0, "\(made.errors)")
        }
        // The foreign certificate is not among those that curl is told to trust.
        let trusted = try ["own", "other"].map {
            try String(contentsOfFile: bench.folder.file("\($0).pem"), encoding: .utf8)
        }
        try bench.folder.write(Data(trusted.joined().utf8), to: "trusted.pem")
    }

    /// Packages a version of the adder into the served folder, and returns the archive's name and SHA-256.
    private func package(_ version: String) throws -> (name: String, hash: String) {
        let folder = bench.folder.file("version-\(version)")
        try TestExtension.buildAdder(
            defines: ["VERSION=\"\(version)\""], manifest: ["version": version], in: folder)
        let files = bench.folder.file("files")
        try FileManager.default.createDirectory(
            atPath: files, withIntermediateDirectories: true)
        let row = try #require(
            try bench.json(
                "extensions", "package", "\(folder)/adder.editingextension", "--output", files
            ).first)
        let path = try #require(row["path"] as? String)
        return ((path as NSString).lastPathComponent, try #require(row["sha256"] as? String))
    }

    /// Runs the command beside the servers.
    private func run(
        certificate: String = "own", _ arguments: String...
    ) throws -> ProcessResult {
        let environment = bench.environment([
            "CURL_CA_BUNDLE": bench.folder.file("trusted.pem"), "NO_PROXY": "localhost",
        ])
        return try runProgram(
            "/usr/bin/python3",
            [
                bench.folder.file("server.py"), bench.folder.path,
                bench.folder.file(certificate), Workbench.command,
            ] + arguments, environment: environment, folder: bench.folder.path)
    }

    private func requests() throws -> [String] {
        let path = bench.folder.file("requests")
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            .map(String.init)
    }

    private func installedVersion() throws -> String? {
        try bench.json("extensions", "list")
            .first { $0["identifier"] as? String == "org.example.adder" }?["version"] as? String
    }

    @Test("an archive is installed from a server with a valid certificate, also after a redirect")
    func install() throws {
        let archive = try package("1.0")
        let direct = try run(
            "extensions", "install", "https://localhost:PORT/\(archive.name)", "--sha256",
            archive.hash)
        #expect(direct.status == 0, "\(direct.errors)")
        #expect(try installedVersion() == "1.0")
        let redirected = try run(
            "extensions", "install", "--replace",
            "https://localhost:PORT/secure/\(archive.name)")
        #expect(redirected.status == 0, "\(redirected.errors)")
        #expect(try requests().contains("https /\(archive.name)"))
        #expect(try requests().contains("https /secure/\(archive.name)"))
    }

    @Test(
        "a server with an unknown certificate, or that of another host, is refused",
        arguments: ["foreign", "other"])
    func certificate(name: String) throws {
        let archive = try package("1.0")
        let result = try run(
            certificate: name, "extensions", "install", "https://localhost:PORT/\(archive.name)")
        #expect(result.status == 73, "\(result.errors)")
        #expect(result.errors.contains("curl does not trust the server's certificate"))
        #expect(try requests() == [])
        #expect(try installedVersion() == nil)
    }

    @Test("a redirect to http is not followed")
    func redirect() throws {
        let archive = try package("1.0")
        let result = try run(
            "extensions", "install", "https://localhost:PORT/plain/\(archive.name)")
        #expect(result.status == 73, "\(result.errors)")
        #expect(try requests() == ["https /plain/\(archive.name)"])
        #expect(try installedVersion() == nil)
    }

    @Test("an extension is updated from an index on a server")
    func update() throws {
        let old = try package("1.0")
        let new = try package("1.1")
        let entry = [
            "identifier": "org.example.adder", "version": "1.1", "url": new.name,
            "sha256": new.hash,
        ]
        let index = try JSONSerialization.data(withJSONObject: ["extensions": [entry]])
        try bench.folder.write(index, to: "files/index.json")
        _ = try bench.json("extensions", "install", bench.folder.file("files/\(old.name)"))
        let refused = try run(
            certificate: "foreign", "extensions", "update", "--index",
            "https://localhost:PORT/index.json")
        #expect(refused.status != 0)
        #expect(try installedVersion() == "1.0")
        let result = try run(
            "extensions", "update", "--index", "https://localhost:PORT/index.json")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try installedVersion() == "1.1")
    }
}
