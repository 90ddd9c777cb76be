import Foundation
import Support
import Testing

@Suite("Child processes")
struct ChildProcessTests {
    @Test(
        "end as the program ends",
        arguments: [("exit 0", ChildProcess.Ending.exited(0)), ("exit 7", .exited(7)), ("kill -9 $$", .signal(SIGKILL))])
    func ending(script: String, ending: ChildProcess.Ending) throws {
        let nowhere = try #require(FileHandle(forUpdatingAtPath: "/dev/null"))
        let descriptor = nowhere.fileDescriptor
        let child = try ChildProcess("/bin/sh", ["-c", script], input: descriptor, output: descriptor, errors: descriptor)
        #expect(child.wait() == ending)
        #expect(child.wait() == ending, "once and for all")
    }

    @Test("give what they write to one stream")
    func output() throws {
        let script = ["-c", "echo said; echo complained >&2; exit 3"]
        #expect(try ChildProcess.finished("/bin/sh", script, reading: .output) == ("said\n", 3))
        #expect(try ChildProcess.finished("/bin/sh", script, reading: .errors) == ("complained\n", 3))
    }

    @Test("a program that is not there is an error that names it")
    func missing() {
        let error = #expect(throws: ChildProcess.Failure.self) { try ChildProcess.finished("/nowhere/glslc", [], reading: .errors) }
        #expect(error?.description == "/nowhere/glslc: cannot be started (No such file or directory)")
    }

    @Test("what it has started ends with it")
    func group() throws {
        let nowhere = try #require(FileHandle(forUpdatingAtPath: "/dev/null"))
        let (descriptor, said) = (nowhere.fileDescriptor, Pipe())
        let script = "sleep 1000 & echo started; wait"
        let child = try ChildProcess(
            "/bin/sh", ["-c", script], input: descriptor, output: said.fileHandleForWriting.fileDescriptor, errors: descriptor)
        try said.fileHandleForWriting.close()
        #expect(said.fileHandleForReading.availableData == Data("started\n".utf8))
        child.kill()
        #expect(child.wait() == .signal(SIGKILL))
        // The end of the pipe comes when `sleep` is gone, too.
        #expect(said.fileHandleForReading.readDataToEndOfFile().isEmpty)
    }
}

@Suite("Locks on directories")
struct DirectoryLockTests {
    @Test("are held by one, who is named, until the last reference goes")
    func lock() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "lock-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: directory) } }
        do {
            let held = try DirectoryLock(directory)
            let error = #expect(throws: OutputError.self) { try DirectoryLock(directory) }
            #expect(error?.code == .busy && error?.other.hasPrefix("process \(getpid()) on ") == true)
            withExtendedLifetime(held) {}
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
        _ = try DirectoryLock(directory)
    }
}
