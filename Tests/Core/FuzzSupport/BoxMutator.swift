import Foundation

/// Changes MP4 and MOV files by their boxes (ISO/IEC 14496-12, 4.2) at any depth; the sizes around a change stay right, so that readers get to it.
public struct BoxMutator: Sendable {
    private let samples: [[Box]]
    /// Types of all boxes of the samples, to be put where others were.
    private let types: [[UInt8]]

    public init(_ samples: [Data]) {
        self.samples = samples.map { Box.all(in: [UInt8]($0)[...]) ?? [] }
        types = self.samples.joined().flatMap(\.types)
    }

    /// One of the samples, changed in one to four boxes; one in eight is cut off.
    public func callAsFunction(_ generator: inout FuzzGenerator) -> Data {
        var boxes = generator.pick(samples)
        for _ in 0...generator.index(4) { change(&boxes, &generator) }
        var bytes: [UInt8] = []
        for box in boxes { box.append(to: &bytes) }
        return Data(generator.chance(0.125) ? bytes.prefix(generator.index(bytes.count)) : bytes[...])
    }

    private func change(_ boxes: inout [Box], _ generator: inout FuzzGenerator) {
        guard !boxes.isEmpty else { return }
        let index = generator.index(boxes.count)
        // Most of what is read lies deep.
        if !boxes[index].boxes.isEmpty, generator.chance(0.8) { return change(&boxes[index].boxes, &generator) }
        switch generator.index(12) {
        case 0: boxes.remove(at: index)
        case 1: boxes.insert(boxes[index], at: generator.index(boxes.count))
        case 2: boxes.swapAt(index, generator.index(boxes.count))
        case 3: boxes[index].claimedSize = generator.pick([0, 1, 7, 8, 9, 16, 24, UInt32(generator.index(4096)), 0x7FFF_FFFF, 0x8000_0000, .max])
        case 4: boxes[index].isLarge.toggle()
        case 5: boxes[index].type = generator.pick(types)
        case 6: ByteMutator.change(&boxes[index].head, &generator)
        default: boxes[index].changeNumber(&generator)
        }
    }
}

private struct Box: Sendable {
    var type: [UInt8]
    /// Content, or what of it comes before the boxes within.
    var head: [UInt8]
    var boxes: [Box] = []
    /// Size that it says it has, where that is not its own.
    var claimedSize: UInt32?
    /// Whether the size has eight bytes, behind the type.
    var isLarge = false

    /// Bytes before the boxes of those boxes that hold others.
    private static let containers: [String: Int] = [
        "moov": 0, "trak": 0, "mdia": 0, "minf": 0, "stbl": 0, "edts": 0, "udta": 0, "mvex": 0, "moof": 0, "traf": 0, "dinf": 0, "stsd": 8,
        "uuid": 16,
    ]

    /// Nil where the bytes are no boxes.
    static func all(in bytes: ArraySlice<UInt8>) -> [Box]? {
        var (rest, boxes) = (bytes, [Box]())
        while !rest.isEmpty {
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 8, (8...rest.count).contains(size) else { return nil }
            let (type, content) = (Array(rest.dropFirst(4).prefix(4)), rest.prefix(size).dropFirst(8))
            let start = containers[String(decoding: type, as: UTF8.self)]
            if let start, content.count >= start, let within = all(in: content.dropFirst(start)) {
                boxes.append(Box(type: type, head: Array(content.prefix(start)), boxes: within))
            } else {
                boxes.append(Box(type: type, head: Array(content)))
            }
            rest = rest.dropFirst(size)
        }
        return boxes
    }

    var types: [[UInt8]] { [type] + boxes.flatMap(\.types) }

    func append(to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes += [0, 0, 0, 1] + type + (isLarge ? [UInt8](repeating: 0, count: 8) : []) + head
        for box in boxes { box.append(to: &bytes) }
        let size = UInt64(bytes.count - start)
        if isLarge { Self.put(claimedSize.map(UInt64.init) ?? size, count: 8, at: start + 8, in: &bytes) }
        if claimedSize != nil || !isLarge { Self.put(UInt64(claimedSize ?? UInt32(size)), count: 4, at: start, in: &bytes) }
    }

    /// Puts another number of 32 bits in the place of one, those at the beginning most often; or turns one bit of it, for there lie flags.
    mutating func changeNumber(_ generator: inout FuzzGenerator) {
        guard head.count >= 4 else { return }
        let place = 4 * generator.index(generator.chance(0.75) ? min(head.count / 4, 8) : head.count / 4)
        let old = head[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let numbers: [UInt32] = [0, 1, 2, 0xFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, .max, .max - 7, old &+ 1, old &- 1, UInt32(generator.index(256))]
        let new = generator.chance(0.25) ? old ^ 1 << UInt32(generator.index(24)) : generator.pick(numbers)
        Self.put(UInt64(new), count: 4, at: place, in: &head)
    }

    private static func put(_ number: UInt64, count: Int, at place: Int, in bytes: inout [UInt8]) {
        for index in 0..<count { bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - index))) }
    }
}
