import Foundation
import Testing

@testable import Support

@Suite("Whole files") struct FileContentsTests {
    @Test("are read to their end, however long", arguments: [0, 1, 4096, 100_000])
    func read(count: Int) throws {
        let path = NSTemporaryDirectory() + "/rackfocus-contents-\(UUID().uuidString)"
        defer { unlink(path) }
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try FileContents.read(path) == bytes)
    }

    @Test("that are not there, or are none, are errors with their reason")
    func missing() {
        #expect(throws: InputError(path: "/nowhere/a", reason: "there is no such file")) { try FileContents.read("/nowhere/a") }
        #expect(throws: InputError(path: "/tmp", reason: "cannot read it (Is a directory)")) { try FileContents.read("/tmp") }
    }

    @Test("longer than their reader's limit are refused, be it a byte or without end")
    func limited() throws {
        let path = NSTemporaryDirectory() + "/rackfocus-contents-\(UUID().uuidString)"
        defer { unlink(path) }
        try Data(count: 5000).write(to: URL(fileURLWithPath: path))
        #expect(try FileContents.read(path, atMost: 5000).count == 5000)
        #expect(throws: InputError(path: path, reason: "it has more than 4 KiB, the most that are read")) {
            try FileContents.read(path, atMost: 4096)
        }
        #expect(throws: InputError(path: "/dev/zero", reason: "it has more than 64 KiB, the most that are read")) {
            try FileContents.read("/dev/zero", atMost: 1 << 16)
        }
    }

    @Test("files of the kernel, which say that they hold nothing, are read all the same")
    func kernel() throws { #expect(try FileContents.read("/proc/self/status").count > 100) }

    @Test("a call that a signal interrupts is repeated, any other failure is not")
    func repeated() {
        var calls = 0
        let result = SystemCall.repeated { () -> Int in
            calls += 1
            errno = calls < 3 ? EINTR : EIO
            return -1
        }
        #expect(result == -1 && calls == 3)
    }
}
