import Foundation
import TestSupport
import Testing

@testable import VideoDevice

@Suite("A watch on a folder of device nodes")
struct DeviceWatchTests {
    private let scratch = try! Scratch()

    @Test("tells once of a node that has come, changed or gone since the last wait, also while nobody waited")
    func changes() throws {
        let watch = DeviceWatch(scratch.url.path)
        #expect(!watch.wait(milliseconds: 0))
        let node = try scratch.write("", to: "video0")
        #expect(watch.wait(milliseconds: 0))
        #expect(!watch.wait(milliseconds: 0))
        try #require(chmod(node, 0o600) == 0)
        #expect(watch.wait(milliseconds: 0))
        try FileManager.default.removeItem(atPath: node)
        #expect(watch.wait(milliseconds: 0))
        #expect(!watch.wait(milliseconds: 0))
    }

    @Test("says after the time that there may be changes where the system does not tell")
    func blind() { #expect(DeviceWatch(scratch("nowhere")).wait(milliseconds: 1)) }
}
