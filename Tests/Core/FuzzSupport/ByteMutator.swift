import Foundation

/// Changes binary samples: numbers of one to eight bytes, runs of bytes that are removed, repeated or moved, and the length.
public struct ByteMutator: Sendable {
    private let samples: [Data]

    public init(_ samples: [Data]) { self.samples = samples }

    /// One of the samples, changed in one to four places.
    public func callAsFunction(_ generator: inout FuzzGenerator) -> Data {
        var bytes = [UInt8](generator.pick(samples))
        for _ in 0...generator.index(4) { Self.change(&bytes, &generator) }
        return Data(bytes)
    }

    public static func change(_ bytes: inout [UInt8], _ generator: inout FuzzGenerator) {
        guard !bytes.isEmpty else { return bytes.append(UInt8(generator.index(256))) }
        let place = generator.index(bytes.count)
        switch generator.index(12) {
        case 0..<8: overwrite(&bytes, at: place, &generator)
        case 8: bytes.removeSubrange(place..<min(place + 1 + generator.index(16), bytes.count))
        case 9: bytes.insert(contentsOf: bytes[place..<min(place + 1 + generator.index(64), bytes.count)], at: generator.index(bytes.count))
        case 10: bytes.removeLast(generator.index(bytes.count))
        default: bytes.swapAt(place, generator.index(bytes.count))
        }
    }

    /// Puts a number that parsers stumble over, or any, at a place.
    public static func overwrite(_ bytes: inout [UInt8], at place: Int, _ generator: inout FuzzGenerator) {
        let values: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8(generator.index(256))]
        for offset in 0..<generator.pick([1, 1, 2, 4, 8]) where place + offset < bytes.count { bytes[place + offset] = generator.pick(values) }
    }
}
