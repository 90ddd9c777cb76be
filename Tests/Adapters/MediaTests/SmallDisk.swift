import Foundation

/// A tmpfs of a few kilobytes, mounted for one test.
final class SmallDisk {
    private let scratch: Scratch

    static let isPossible: Bool = SmallDisk(kilobytes: 16) != nil

    init?(kilobytes: Int) {
        guard getuid() == 0, let scratch = try? Scratch() else { return nil }
        self.scratch = scratch
        guard Foundation.mount("none", scratch.path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else { return nil }
    }

    deinit { umount2(scratch.path, 2) }

    func callAsFunction(_ name: String) -> String { scratch(name) }
    var names: [String] { scratch.names }
}
