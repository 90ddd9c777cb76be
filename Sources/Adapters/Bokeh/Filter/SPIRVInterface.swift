/// What a compute shader wants from outside, read from its SPIR-V (numbers of the SPIR-V specification, section 3).
struct SPIRVInterface: Sendable, Equatable {
    /// One bound resource.
    struct Resource: Sendable, Equatable {
        var set = 0
        var binding = 0
        /// A two-dimensional storage image of format rgba32f.
        var isColourImage = false
    }

    /// Threads of a workgroup; 0 where a constant decides.
    private(set) var localSize = (x: 0, y: 0, z: 0)
    private(set) var resources: [Resource] = []
    /// Bytes of push constants; what is no scalar counts 16.
    private(set) var pushBytes = 0

    static func == (a: Self, b: Self) -> Bool { a.localSize == b.localSize && a.resources == b.resources && a.pushBytes == b.pushBytes }

    init(words: [UInt32]) {
        var sets: [UInt32: Int] = [:]
        var bindings: [UInt32: Int] = [:]
        var colourImages: Set<UInt32> = []
        var pointers: [UInt32: (storage: UInt32, type: UInt32)] = [:]
        var members: [UInt32: [UInt32]] = [:]
        var scalars: Set<UInt32> = []
        var variables: [(id: UInt32, pointer: UInt32)] = []
        var at = 5
        while at < words.count, words[at] >> 16 > 0, at + Int(words[at] >> 16) <= words.count {
            let operands = words[at + 1..<at + Int(words[at] >> 16)]
            let first = operands.startIndex
            switch (words[at] & 0xFFFF, operands.count) {
            case (16, 5) where operands[first + 1] == 17:  // OpExecutionMode, LocalSize
                localSize = (Int(operands[first + 2]), Int(operands[first + 3]), Int(operands[first + 4]))
            case (71, 3) where operands[first + 1] == 34: sets[operands[first]] = Int(operands[first + 2])  // OpDecorate, DescriptorSet
            case (71, 3) where operands[first + 1] == 33: bindings[operands[first]] = Int(operands[first + 2])  // OpDecorate, Binding
            case (25, 8...):  // OpTypeImage: two-dimensional, storage, Rgba32f
                if operands[first + 2] == 1, operands[first + 6] == 2, operands[first + 7] == 1 { colourImages.insert(operands[first]) }
            case (21, 3), (22, 2): if operands[first + 1] == 32 { scalars.insert(operands[first]) }  // OpTypeInt, OpTypeFloat
            case (30, 1...): members[operands[first]] = Array(operands.dropFirst())  // OpTypeStruct
            case (32, 3): pointers[operands[first]] = (operands[first + 1], operands[first + 2])  // OpTypePointer
            case (59, 3...): variables.append((operands[first + 1], operands[first]))  // OpVariable
            default: break
            }
            at += Int(words[at] >> 16)
        }
        for variable in variables {
            guard let pointer = pointers[variable.pointer] else { continue }
            if pointer.storage == 9, let members = members[pointer.type] {  // PushConstant
                pushBytes = members.reduce(0) { $0 + (scalars.contains($1) ? 4 : 16) }
            }
            guard let binding = bindings[variable.id] else { continue }
            resources.append(Resource(set: sets[variable.id] ?? 0, binding: binding, isColourImage: colourImages.contains(pointer.type)))
        }
    }
}
