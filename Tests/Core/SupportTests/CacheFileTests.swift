import Foundation
import TestSupport
import Testing

@testable import Support

@Suite("What is kept from one run to the next")
struct CacheFileTests {
    @Test("A file gives back what was kept, and nothing when it is damaged")
    func damage() throws {
        let scratch = try Scratch()
        let folder = scratch.path + "/deep"
        let file = CacheFile("test.bin", in: folder)
        #expect(file.read() == nil)
        file.write([1, 2, 3, 4, 5])
        #expect(file.read() == [1, 2, 3, 4, 5])
        let whole = try #require(FileManager.default.contents(atPath: file.path))
        for index in stride(from: 0, to: whole.count, by: 3) {
            var damaged = whole
            damaged[index] ^= 64
            try damaged.write(to: URL(fileURLWithPath: file.path))
            #expect(file.read() == nil, "byte \(index)")
        }
        try whole.dropLast().write(to: URL(fileURLWithPath: file.path))
        #expect(file.read() == nil)
        file.write([9])
        #expect(file.read() == [9])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1, "no temporary stays behind")
    }
}
