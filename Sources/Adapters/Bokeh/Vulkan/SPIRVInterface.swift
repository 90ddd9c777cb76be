/// Interface of a compute shader, read from its SPIR-V: resources, specialisation constants, push constants and workgroup size.
///
/// Numbers are those of the SPIR-V specification, section 3. Names are there where glslc ran with `-g`.
struct SPIRVInterface: Sendable, Equatable {
    /// One bound resource.
    struct Resource: Sendable, Equatable {
        /// Of the variable, or of the first member of a block without an instance name; empty where names were stripped.
        var name = ""
        var set = 0
        var binding = 0
        var kind = Kind.buffer
        /// A two-dimensional storage image of format rgba32f.
        var isColourImage = false
        /// Declared `readonly`.
        var isReadOnly = false
    }

    enum Kind: Sendable { case buffer, texels, image }

    /// A specialisation constant of 32 bits.
    struct Constant: Sendable, Equatable {
        var id: UInt32
        var isFloat: Bool
    }

    /// Threads of a workgroup; 0 where a constant decides.
    private(set) var localSize = SIMD3<Int>.zero
    /// Ordered by binding.
    private(set) var resources: [Resource] = []
    /// By name; those of the workgroup's size are `local_size_x`, `local_size_y` and `local_size_z`.
    private(set) var constants: [String: Constant] = [:]
    /// Bytes of push constants; what is no scalar counts 16.
    private(set) var pushBytes = 0

    init(words: [UInt32]) {
        let module = Module(words)
        localSize = module.localSize
        for variable in module.variables {
            guard let pointer = module.pointers[variable.pointer] else { continue }
            if pointer.storage == 9, let members = module.members[pointer.type] {  // PushConstant
                pushBytes = members.reduce(0) { $0 + (module.integers.contains($1) || module.floats.contains($1) ? 4 : 16) }
            }
            guard let binding = module.bindings[variable.id] else { continue }
            let image = module.images[pointer.type]
            let name = [module.names[variable.id], module.firstMembers[pointer.type]].compactMap(\.self).first { !$0.isEmpty }
            resources.append(
                Resource(
                    name: name ?? "", set: module.sets[variable.id] ?? 0, binding: binding,
                    kind: image == nil ? .buffer : image == .buffer ? .texels : .image, isColourImage: image == .colour,
                    isReadOnly: module.readOnly.contains(variable.id) || module.readOnly.contains(pointer.type)))
        }
        resources.sort { ($0.set, $0.binding) < ($1.set, $1.binding) }
        for (id, number) in module.constantIDs {
            let axis = module.workgroupSize.firstIndex(of: id)
            guard let name = axis.map({ "local_size_" + ["x", "y", "z"][$0] }) ?? module.names[id] else { continue }
            constants[name] = Constant(id: number, isFloat: module.floats.contains(module.constantTypes[id] ?? 0))
        }
    }

    /// The instructions of a module that an interface is made of, by result.
    private struct Module {
        enum Image { case buffer, colour, other }

        var localSize = SIMD3<Int>.zero
        var names: [UInt32: String] = [:]
        var firstMembers: [UInt32: String] = [:]
        var sets: [UInt32: Int] = [:]
        var bindings: [UInt32: Int] = [:]
        /// Variables, and structures by their first member.
        var readOnly: Set<UInt32> = []
        var images: [UInt32: Image] = [:]
        var integers: Set<UInt32> = []
        var floats: Set<UInt32> = []
        var members: [UInt32: [UInt32]] = [:]
        var pointers: [UInt32: (storage: UInt32, type: UInt32)] = [:]
        var variables: [(id: UInt32, pointer: UInt32)] = []
        var constantIDs: [UInt32: UInt32] = [:]
        var constantTypes: [UInt32: UInt32] = [:]
        /// Constants of the workgroup's size.
        var workgroupSize: [UInt32] = []

        init(_ words: [UInt32]) {
            var (builtIns, composites) = (Set<UInt32>(), [UInt32: [UInt32]]())
            var at = 5
            while at < words.count, words[at] >> 16 > 0, at + Int(words[at] >> 16) <= words.count {
                let operands = Array(words[at + 1..<at + Int(words[at] >> 16)])
                switch (words[at] & 0xFFFF, operands.count) {
                case (5, 2...): names[operands[0]] = Self.text(operands[1...])  // OpName
                case (6, 3...) where operands[1] == 0: firstMembers[operands[0]] = Self.text(operands[2...])  // OpMemberName
                case (16, 5) where operands[1] == 17:  // OpExecutionMode, LocalSize
                    localSize = SIMD3(Int(operands[2]), Int(operands[3]), Int(operands[4]))
                case (71, 2...): decorate(operands[0], operands[1], operands.dropFirst(2).first ?? 0, &builtIns)  // OpDecorate
                case (72, 3) where operands[1] == 0 && operands[2] == 24: readOnly.insert(operands[0])  // OpMemberDecorate, NonWritable
                case (25, 8...):  // OpTypeImage: Buffer; or two-dimensional, storage, Rgba32f
                    let isColour = operands[2] == 1 && operands[6] == 2 && operands[7] == 1
                    images[operands[0]] = operands[2] == 5 ? .buffer : isColour ? .colour : .other
                case (21, 3) where operands[1] == 32: integers.insert(operands[0])  // OpTypeInt
                case (22, 2...) where operands[1] == 32: floats.insert(operands[0])  // OpTypeFloat
                case (30, 1...): members[operands[0]] = Array(operands.dropFirst())  // OpTypeStruct
                case (32, 3): pointers[operands[0]] = (operands[1], operands[2])  // OpTypePointer
                case (50, 3): constantTypes[operands[1]] = operands[0]  // OpSpecConstant
                case (51, 3...): composites[operands[1]] = Array(operands.dropFirst(2))  // OpSpecConstantComposite
                case (59, 3...): variables.append((operands[1], operands[0]))  // OpVariable
                default: break
                }
                at += Int(words[at] >> 16)
            }
            workgroupSize = composites.first { builtIns.contains($0.key) }?.value ?? []
        }

        private mutating func decorate(_ id: UInt32, _ decoration: UInt32, _ value: UInt32, _ workgroupSizes: inout Set<UInt32>) {
            switch decoration {
            case 1: constantIDs[id] = value  // SpecId
            case 11 where value == 25: workgroupSizes.insert(id)  // BuiltIn, WorkgroupSize
            case 24: readOnly.insert(id)  // NonWritable
            case 33: bindings[id] = Int(value)  // Binding
            case 34: sets[id] = Int(value)  // DescriptorSet
            default: break
            }
        }

        private static func text(_ words: ArraySlice<UInt32>) -> String {
            let bytes = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
