import Foundation
import Support
import TestSupport
import Testing

@Suite("Output files appear whole or not at all") struct OutputFileTests {
    @Test("a file has its name only after commit")
    func commit() throws {
        let scratch = try Scratch()
        let file = try OutputFile(path: scratch("a.txt"), replacingExisting: false)
        try file.write("one ")
        #expect(try scratch.names.count == 1 && scratch.names[0].hasPrefix(".a.txt."))
        try file.write("two")
        try file.commit()
        #expect(try scratch.names == ["a.txt"])
        #expect(try scratch.text("a.txt") == "one two")
        #expect(throws: OutputError.self) { try file.write("three") }
        #expect(throws: OutputError.self) { try file.commit() }
    }

    @Test("a new file gets the permissions of any other")
    func permissions() throws {
        let scratch = try Scratch()
        let file = try OutputFile(path: scratch("a.txt"), replacingExisting: false)
        try file.commit()
        try scratch.write("", to: "plain")
        func mode(_ name: String) throws -> Int? { try FileManager.default.attributesOfItem(atPath: scratch(name))[.posixPermissions] as? Int }
        #expect(try mode("a.txt") == mode("plain"))
    }

    @Test("discard and the last reference leave nothing")
    func discard() throws {
        let scratch = try Scratch()
        let file = try OutputFile(path: scratch("a.txt"), replacingExisting: false)
        file.discard()
        #expect(try scratch.names == [])
        do { _ = try OutputFile(path: scratch("b.txt"), replacingExisting: false) }
        #expect(try scratch.names == [])
    }

    @Test("an existing file is refused at once")
    func existing() throws {
        let scratch = try Scratch()
        try scratch.write("old", to: "a.txt")
        let error = #expect(throws: OutputError.self) { try OutputFile(path: scratch("a.txt"), replacingExisting: false) }
        #expect(error == OutputError(code: .exists, path: scratch("a.txt"), action: "create"))
        #expect(error?.description == "\(scratch("a.txt")): exists already; use --force to replace it")
        #expect(try scratch.names == ["a.txt"])
    }

    @Test("a file is replaced on request, and through a link")
    func replace() throws {
        let scratch = try Scratch()
        try scratch.write("old", to: "a.txt")
        try FileManager.default.createSymbolicLink(atPath: scratch("link"), withDestinationPath: scratch("a.txt"))
        let file = try OutputFile(path: scratch("link"), replacingExisting: true)
        try file.write("new")
        #expect(try scratch.text("a.txt") == "old")
        try file.commit()
        #expect(try scratch.text("a.txt") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch("link")) == scratch("a.txt"))
    }

    @Test("a file that appeared meanwhile is not overwritten")
    func race() throws {
        let scratch = try Scratch()
        let file = try OutputFile(path: scratch("a.txt"), replacingExisting: false)
        try file.write("mine")
        try scratch.write("theirs", to: "a.txt")
        let error = #expect(throws: OutputError.self) { try file.commit() }
        #expect(error?.code == .exists && error?.underlying == EEXIST)
        #expect(try scratch.text("a.txt") == "theirs")
        #expect(try scratch.names == ["a.txt"])
    }

    @Test(
        "what cannot be written says why",
        arguments: [
            (
                "none/a.txt", OutputError.Code.missingDirectory,
                "cannot create: the directory %/none is missing (No such file or directory); create it first"
            ),
            ("file/a.txt", .missingDirectory, "cannot create: the directory %/file is missing (Not a directory); create it first"),
            ("directory", .wrongKind, "cannot replace: this name is a directory or a device, not a plain file"),
            ("directory/", .wrongKind, "cannot create: this name is a directory or a device, not a plain file"),
        ])
    func refusals(name: String, code: OutputError.Code, text: String) throws {
        let scratch = try Scratch()
        try scratch.write("", to: "file")
        try FileManager.default.createDirectory(atPath: scratch("directory"), withIntermediateDirectories: false)
        let error = #expect(throws: OutputError.self) { try OutputFile(path: scratch(name), replacingExisting: true) }
        #expect(error?.code == code)
        #expect(error?.description == "\(scratch(name)): \(text.replacingOccurrences(of: "%", with: scratch.path))")
        #expect(try scratch.names == ["directory", "file"])
    }

    @Test("a device is never replaced")
    func device() {
        let error = #expect(throws: OutputError.self) { try OutputFile(path: "/dev/full", replacingExisting: true) }
        #expect(error?.code == .wrongKind)
    }

    @Test("a directory that may not be written to", .enabled(if: getuid() != 0, "root may write anywhere"))
    func permissionDenied() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch("locked"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o500])
        let error = #expect(throws: OutputError.self) { try OutputFile(path: scratch("locked/a.txt"), replacingExisting: false) }
        #expect(error?.code == .permissionDenied)
    }

    @Test("a file as large as the process may write ends in an error, and nothing is left")
    func sizeLimit() async throws {
        let scratch = try Scratch()
        await #expect(processExitsWith: .success) { [path = scratch.path as String] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let file = try OutputFile(path: path + "/a.txt", replacingExisting: false)
            let error = #expect(throws: OutputError.self) { try file.write([UInt8](repeating: 7, count: 5000)) }
            #expect(error?.code == .diskFull && error?.underlying == EFBIG)
        }
        #expect(try scratch.names == [])
    }

    @Test("a signal that ends the process takes the temporaries with it", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(number: Int32) async throws {
        let scratch = try Scratch()
        try scratch.write("kept", to: "old.txt")
        await #expect(processExitsWith: .signal(number)) { [path = scratch.path as String, number = number as Int32] in
            signal(number, SIG_DFL)  // nohup's children ignore SIGHUP
            let file = try OutputFile(path: path + "/a.txt", replacingExisting: false)
            let directory = try OutputDirectory(path: path + "/run", replacingExisting: false)
            for index in 0..<300 { try directory.write("half", to: "frames/\(index).png") }
            let sequence = try OutputSequence(path: path + "/out.%04d.png", existing: [], replacingExisting: false)
            for index in 0..<300 { try sequence.write([UInt8](repeating: 0, count: 9), to: "out.\(index).png") }
            try file.write("half")
            guard try FileManager.default.contentsOfDirectory(atPath: path).count == 4 else { exit(1) }
            // Dispatch's threads block signals, so `raise` would do nothing here; the wait only ends a run in which the handler failed.
            kill(getpid(), number)
            sleep(20)
            withExtendedLifetime((file, directory, sequence)) {}
        }
        #expect(try scratch.names == ["old.txt"])
    }
}

@Suite("Output directories appear whole or not at all") struct OutputDirectoryTests {
    @Test("a directory has its name only after commit")
    func commit() throws {
        let scratch = try Scratch()
        let run = try OutputDirectory(path: scratch("run/"), replacingExisting: false)
        try run.write("{}", to: "trace.jsonl")
        try run.write("svg", to: "diff/deep/focus.svg")
        #expect(try !scratch.names.contains("run"))
        try run.commit()
        #expect(try scratch.names == ["run"])
        #expect(try scratch.text("run/trace.jsonl") == "{}" && scratch.text("run/diff/deep/focus.svg") == "svg")
    }

    @Test("a file may grow until then, and is listed as it is in the end")
    func growing() throws {
        let scratch = try Scratch()
        let run = try OutputDirectory(path: scratch("run"), replacingExisting: false)
        for piece in ["one\n", "", "two\n"] { try run.append(Array(piece.utf8), to: "log.jsonl") }
        try run.commit()
        #expect(try scratch.text("run/log.jsonl") == "one\ntwo\n")
        let manifest = try #require(try OutputManifest(in: scratch("run")))
        #expect(manifest.files["log.jsonl"] == .init(Array("one\ntwo\n".utf8)))
        #expect(try manifest.deviations(in: scratch("run")).isEmpty)
    }

    @Test("an existing directory of ours is refused, or replaced as a whole")
    func existing() throws {
        let scratch = try Scratch()
        let first = try OutputDirectory(path: scratch("run"), replacingExisting: false)
        try first.write("old", to: "old.txt")
        try first.commit()
        let error = #expect(throws: OutputError.self) { try OutputDirectory(path: scratch("run"), replacingExisting: false) }
        #expect(error?.code == .exists)
        let run = try OutputDirectory(path: scratch("run"), replacingExisting: true)
        try run.write("new", to: "new.txt")
        #expect(try scratch.text("run/old.txt") == "old")
        try run.commit()
        #expect(try scratch.names == ["run"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("run")).sorted() == ["manifest.json", "new.txt"])
    }

    @Test(
        "a directory that holds what is not ours, or was changed since, is kept and named",
        arguments: [
            ("run/notes.txt", "mine", "notes.txt"), ("run/frames/old.txt", "mine", "frames/old.txt"), ("run/old.txt", "changed", "old.txt"),
            ("run/manifest.json", "{}", "manifest.json, old.txt"),
        ])
    func foreign(name: String, text: String, named: String) throws {
        let scratch = try Scratch()
        let first = try OutputDirectory(path: scratch("run"), replacingExisting: false)
        try first.write("old", to: "old.txt")
        try first.commit()
        let late = try OutputDirectory(path: scratch("run"), replacingExisting: true)
        if name.contains("frames") { try FileManager.default.createDirectory(atPath: scratch("run/frames"), withIntermediateDirectories: false) }
        try scratch.write(text, to: name)
        let refusals = [
            #expect(throws: OutputError.self) { try OutputDirectory(path: scratch("run"), replacingExisting: true) },
            #expect(throws: OutputError.self) { try late.commit() },
        ]
        for refusal in refusals {
            #expect(refusal?.code == .foreign && refusal?.path == scratch("run"))
            #expect(refusal?.other == named)
        }
        #expect(try scratch.text(name) == text)
        #expect(try scratch.names == ["run"])
    }

    @Test("what was cut short or is missing of a directory of ours is nobody's work, and may be replaced")
    func damaged() throws {
        let scratch = try Scratch()
        let first = try OutputDirectory(path: scratch("run"), replacingExisting: false)
        try first.write("a trace", to: "trace.jsonl")
        try first.write("a plot", to: "focus.svg")
        try first.commit()
        try scratch.write("a tr", to: "run/trace.jsonl")
        try FileManager.default.removeItem(atPath: scratch("run/focus.svg"))
        let manifest = try #require(try OutputManifest(in: scratch("run")))
        #expect(try manifest.deviations(in: scratch("run")).map(\.description) == ["focus.svg is missing", "trace.jsonl was cut short"])
        let again = try OutputDirectory(path: scratch("run"), replacingExisting: true)
        try again.commit()
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("run")) == ["manifest.json"])
    }

    @Test("a directory that appeared meanwhile is not touched")
    func race() throws {
        let scratch = try Scratch()
        let run = try OutputDirectory(path: scratch("run"), replacingExisting: false)
        try run.write("mine", to: "a.txt")
        try FileManager.default.createDirectory(atPath: scratch("run"), withIntermediateDirectories: false)
        let error = #expect(throws: OutputError.self) { try run.commit() }
        #expect(error?.code == .exists)
        #expect(try scratch.names == ["run"])
    }

    @Test("discard, a missing parent, and a file of that name")
    func refusals() throws {
        let scratch = try Scratch()
        do { try OutputDirectory(path: scratch("run"), replacingExisting: false).write("x", to: "x") }
        #expect(try scratch.names == [])
        let missing = #expect(throws: OutputError.self) { try OutputDirectory(path: scratch("none/run"), replacingExisting: false) }
        #expect(missing?.code == .missingDirectory)
        try scratch.write("", to: "file")
        #expect(throws: OutputError.self) { try OutputDirectory(path: scratch("file"), replacingExisting: true) }
        #expect(try scratch.names == ["file"])
    }
}

@Suite("Outputs that take their names together") struct OutputsTogetherTests {
    /// A directory and a file, complete but for their names.
    private func outputs(in scratch: Scratch, replacing: Bool) throws -> (OutputDirectory, OutputFile) {
        let run = try OutputDirectory(path: scratch("a.run"), replacingExisting: replacing)
        try run.write("new", to: "trace")
        let movie = try OutputFile(path: scratch("a.mp4"), replacingExisting: replacing)
        try movie.write("new")
        return (run, movie)
    }

    @Test("both are there, and replace what was there")
    func both() throws {
        let scratch = try Scratch()
        for replacing in [false, true] {
            let (run, movie) = try outputs(in: scratch, replacing: replacing)
            try movie.commit(with: [run])
            #expect(try scratch.names == ["a.mp4", "a.run"])
            #expect(try scratch.text("a.mp4") == "new" && scratch.text("a.run/trace") == "new")
        }
    }

    @Test("where the last cannot take its name, none does, and what was there before is back", arguments: [true, false])
    func none(hadDirectory: Bool) throws {
        let scratch = try Scratch()
        if hadDirectory {
            let old = try OutputDirectory(path: scratch("a.run"), replacingExisting: false)
            try old.write("old", to: "trace")
            try old.commit()
        }
        let (run, movie) = (
            try OutputDirectory(path: scratch("a.run"), replacingExisting: true), try OutputFile(path: scratch("a.mp4"), replacingExisting: false)
        )
        try run.write("new", to: "trace")
        try scratch.write("somebody's", to: "a.mp4")
        let error = #expect(throws: OutputError.self) { try movie.commit(with: [run]) }
        #expect(error?.code == .exists)
        #expect(try scratch.names == (hadDirectory ? ["a.mp4", "a.run"] : ["a.mp4"]))
        #expect(try scratch.text("a.mp4") == "somebody's")
        if hadDirectory { #expect(try scratch.text("a.run/trace") == "old") }
    }

    @Test("a file that another follows comes back, too")
    func file() throws {
        let scratch = try Scratch()
        try scratch.write("old", to: "log")
        let log = try OutputFile(path: scratch("log"), replacingExisting: true)
        try log.write("new")
        let movie = try OutputFile(path: scratch("a.mp4"), replacingExisting: false)
        try scratch.write("somebody's", to: "a.mp4")
        #expect(throws: OutputError.self) { try movie.commit(with: [log]) }
        #expect(try scratch.names == ["a.mp4", "log"])
        #expect(try scratch.text("log") == "old")
    }
}
