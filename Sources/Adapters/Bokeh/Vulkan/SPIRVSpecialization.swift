/// Specialisation of a SPIR-V module: its constants set for good, and the branches that they decide taken (SPIR-V 1.6, section 2.12.1).
///
/// A driver does the same, but only after it has translated the whole module: lavapipe 22.3 takes 40 ms for each pass of a shader of 390 KB, of
/// which one variant needs a tenth. Names and other debug instructions go, too. Opcodes are those of section 3.49.
struct SPIRVSpecialization {
    private let words: [UInt32]
    /// Offsets of the instructions in front of the first function.
    private var declarations: [Int] = []
    private var blocks: [Block] = []
    /// Parts of functions outside of blocks: their beginnings, parameters and ends, each in front of the block of that index.
    private var frames: [(at: Int, block: Int)] = []
    private var indices: [UInt32: Int] = [:]

    /// A basic block: offsets of its label and of the instructions behind it, the last one ends it.
    private struct Block {
        let id: UInt32
        let label: Int
        var instructions: [Int] = []
    }

    init(words: [UInt32]) {
        self.words = words
        var (at, isInFunction) = (5, false)
        while at < words.count {
            switch words[at] & 0xFFFF {
            case Op.function:
                isInFunction = true
                frames.append((at, blocks.count))
            case Op.label:
                indices[words[at + 1]] = blocks.count
                blocks.append(Block(id: words[at + 1], label: at))
            case Op.functionParameter, Op.functionEnd: frames.append((at, blocks.count))
            case Op.line, Op.noLine: break
            default: if isInFunction { blocks[blocks.count - 1].instructions.append(at) } else { declarations.append(at) }
            }
            at += length(at)
        }
    }

    /// The module with `constants`, values of 32 bits by `SpecId`; others keep their defaults.
    func words(with constants: [UInt32: UInt32]) -> [UInt32] {
        var values = Values(count: Int(words[3]))
        let declared = declared(constants, &values)
        var flow = flow(values)
        // A phi whose other sources are gone may decide a further branch.
        while learnPhis(flow, &values) { flow = self.flow(values) }
        let body = body(flow)
        var result = Array(words[..<5])
        for at in declared.offsets where !isDecorationOf(body.dropped, at) { result += declared.replaced[at] ?? Array(instruction(at)) }
        return result + body.words
    }

    private func length(_ at: Int) -> Int { max(Int(words[at] >> 16), 1) }
    private func instruction(_ at: Int) -> ArraySlice<UInt32> { words[at..<at + length(at)] }

    // MARK: constants

    /// Known scalars of 32 bits by their results; truth is 1.
    private struct Values {
        private var known: [UInt32?]

        init(count: Int) { known = Array(repeating: nil, count: count) }

        subscript(id: UInt32) -> UInt32? {
            get { known[Int(id)] }
            set { known[Int(id)] = newValue }
        }
    }

    /// Declarations to keep, and those that read differently now.
    private func declared(_ constants: [UInt32: UInt32], _ values: inout Values) -> (offsets: [Int], replaced: [Int: [UInt32]]) {
        var (offsets, replaced, numbers) = ([Int](), [Int: [UInt32]](), [UInt32: UInt32]())
        func declare(_ at: Int, _ value: UInt32, isTruth: Bool) {
            let (type, id) = (words[at + 1], words[at + 2])
            values[id] = value
            let truth = value == 0 ? Op.constantFalse : Op.constantTrue
            replaced[at] = isTruth ? [3 << 16 | truth, type, id] : [4 << 16 | Op.constant, type, id, value]
        }
        var truth: UInt32?
        for at in declarations {
            switch words[at] & 0xFFFF {
            case 2...7, Op.moduleProcessed: continue  // names and sources
            case Op.decorate where words[at + 2] == 1:
                numbers[words[at + 1]] = words[at + 3]
                continue
            case Op.typeBool: truth = words[at + 1]
            case Op.constantTrue: values[words[at + 2]] = 1
            case Op.constantFalse: values[words[at + 2]] = 0
            case Op.constant where length(at) == 4: values[words[at + 2]] = words[at + 3]
            case Op.specConstantTrue, Op.specConstantFalse:
                let standard: UInt32 = words[at] & 0xFFFF == Op.specConstantTrue ? 1 : 0
                declare(at, numbers[words[at + 2]].flatMap { constants[$0] } ?? standard, isTruth: true)
            case Op.specConstant where length(at) == 4:
                declare(at, numbers[words[at + 2]].flatMap { constants[$0] } ?? words[at + 3], isTruth: false)
            case Op.specConstantOp:
                if let value = value(words[at + 3], at + 4..<at + length(at), values) { declare(at, value, isTruth: words[at + 1] == truth) }
            default: break
            }
            offsets.append(at)
        }
        return (offsets, replaced)
    }

    /// Result of an operation on scalars of 32 bits; nil where it is another one, or not known.
    private func value(_ operation: UInt32, _ operands: Range<Int>, _ values: Values) -> UInt32? {
        let known = operands.map { values[words[$0]] }
        switch operation {
        case 166: if known.contains(1) { return 1 }  // OpLogicalOr
        case 167: if known.contains(0) { return 0 }  // OpLogicalAnd
        case 169:  // OpSelect
            guard let choice = known[0] else { return nil }
            return choice == 1 ? known[1] : known[2]
        default: break
        }
        guard let a = known.first ?? nil, let b = known.count == 1 ? 0 : known[1], known.count <= 2 else { return nil }
        let (signedA, signedB) = (Int32(bitPattern: a), Int32(bitPattern: b))
        switch operation {
        case 128: return a &+ b  // OpIAdd
        case 130: return a &- b  // OpISub
        case 132: return a &* b  // OpIMul
        case 134: return b == 0 ? nil : a / b  // OpUDiv
        case 135: return signedB == 0 || signedB == -1 ? nil : UInt32(bitPattern: signedA / signedB)  // OpSDiv
        case 164, 170: return a == b ? 1 : 0  // OpLogicalEqual, OpIEqual
        case 165, 171: return a != b ? 1 : 0  // OpLogicalNotEqual, OpINotEqual
        case 166: return a | b
        case 167: return a & b
        case 168: return 1 - a  // OpLogicalNot
        case 172: return a > b ? 1 : 0  // OpUGreaterThan
        case 173: return signedA > signedB ? 1 : 0  // OpSGreaterThan
        case 174: return a >= b ? 1 : 0
        case 175: return signedA >= signedB ? 1 : 0
        case 176: return a < b ? 1 : 0
        case 177: return signedA < signedB ? 1 : 0
        case 178: return a <= b ? 1 : 0
        case 179: return signedA <= signedB ? 1 : 0
        default: return nil
        }
    }

    // MARK: control flow

    /// Blocks that may be reached, and where each goes on; the values that are known on the way.
    private struct Flow {
        var isReached: [Bool]
        var successors: [[Int]]
        /// Branches that a constant decides: the block that is taken.
        var decided: [UInt32?]
        var values: Values

        func hasEdge(_ from: Int, _ to: Int) -> Bool { isReached[from] && successors[from].contains(to) }
    }

    private func flow(_ values: Values) -> Flow {
        var flow = Flow(
            isReached: Array(repeating: false, count: blocks.count), successors: Array(repeating: [], count: blocks.count),
            decided: Array(repeating: nil, count: blocks.count), values: values)
        var waiting = frames.filter { words[$0.at] & 0xFFFF == Op.function }.map(\.block).filter { $0 < blocks.count }
        while let index = waiting.popLast() {
            guard !flow.isReached[index] else { continue }
            flow.isReached[index] = true
            for at in blocks[index].instructions where length(at) > 3 {
                let operation = words[at] & 0xFFFF
                guard (128...179).contains(operation) else { continue }
                if let known = value(operation, at + 3..<at + length(at), flow.values) { flow.values[words[at + 2]] = known }
            }
            flow.successors[index] = successors(of: index, &flow)
            waiting += flow.successors[index]
        }
        return flow
    }

    private func successors(of index: Int, _ flow: inout Flow) -> [Int] {
        guard let last = blocks[index].instructions.last else { return [] }
        switch words[last] & 0xFFFF {
        case Op.branch: return [indices[words[last + 1]]!]
        case Op.branchConditional:
            if let condition = flow.values[words[last + 1]] {
                let target = words[last + (condition == 1 ? 2 : 3)]
                flow.decided[index] = target
                return [indices[target]!]
            }
            return [indices[words[last + 2]]!, indices[words[last + 3]]!]
        case Op.switch: return ([2] + stride(from: 4, to: length(last), by: 2)).map { indices[words[last + $0]]! }
        default: return []
        }
    }

    /// Phis that have but one source left take over its value; whether there was any.
    private func learnPhis(_ flow: Flow, _ values: inout Values) -> Bool {
        var hasLearnt = false
        for (index, block) in blocks.enumerated() where flow.isReached[index] {
            for at in block.instructions where words[at] & 0xFFFF == Op.phi && values[words[at + 2]] == nil {
                let sources = sources(of: at, into: index, flow)
                guard sources.count == 1, let value = flow.values[sources[0].value] else { continue }
                values[words[at + 2]] = value
                hasLearnt = true
            }
        }
        return hasLearnt
    }

    private func sources(of phi: Int, into index: Int, _ flow: Flow) -> [(value: UInt32, block: UInt32)] {
        stride(from: phi + 3, to: phi + length(phi), by: 2).map { (words[$0], words[$0 + 1]) }.filter { flow.hasEdge(indices[$0.1]!, index) }
    }

    // MARK: functions

    /// The functions without what is not reached, and the results that went with it.
    private func body(_ flow: Flow) -> (words: [UInt32], dropped: Set<UInt32>) {
        var (result, dropped, frame) = ([UInt32](), Set<UInt32>(), 0)
        let ends = ends(flow)
        for index in 0...blocks.count {
            while frame < frames.count, frames[frame].block == index {
                result += instruction(frames[frame].at)
                frame += 1
            }
            guard index < blocks.count else { break }
            let block = blocks[index]
            if flow.isReached[index] {
                result += instruction(block.label)
                append(block, index, flow, ends, to: &result)
                continue
            }
            for at in block.instructions where length(at) > 2 && !Op.withoutResult.contains(words[at] & 0xFFFF) { dropped.insert(words[at + 2]) }
            guard let end = ends[block.id] else { continue }
            result += instruction(block.label)
            result += end.map { [2 << 16 | Op.branch, $0] } ?? [1 << 16 | Op.unreachable]
        }
        return (result, dropped)
    }

    /// Blocks that a construct names but nothing reaches: a loop's continue target with the header it goes back to, or a merge block (nil).
    private func ends(_ flow: Flow) -> [UInt32: UInt32?] {
        var result: [UInt32: UInt32?] = [:]
        for (index, block) in blocks.enumerated() where flow.isReached[index] {
            for at in block.instructions.suffix(2) {
                switch words[at] & 0xFFFF {
                case Op.loopMerge:
                    for (id, end) in [(words[at + 1], nil), (words[at + 2], block.id)] where !flow.isReached[indices[id]!] { result[id] = end }
                case Op.selectionMerge where flow.decided[index] == nil && !flow.isReached[indices[words[at + 1]]!]:
                    result[words[at + 1]] = .some(nil)
                default: break
                }
            }
        }
        return result
    }

    private func append(_ block: Block, _ index: Int, _ flow: Flow, _ ends: [UInt32: UInt32?], to result: inout [UInt32]) {
        for at in block.instructions {
            switch words[at] & 0xFFFF {
            case Op.phi:
                var sources = sources(of: at, into: index, flow)
                // An empty continue target still counts as a way in; nobody takes it, so any value does.
                for (id, end) in ends where end == block.id { sources.append((sources[0].value, id)) }
                result += [UInt32(3 + 2 * sources.count) << 16 | Op.phi, words[at + 1], words[at + 2]] + sources.flatMap { [$0.value, $0.block] }
            case Op.selectionMerge where flow.decided[index] != nil: break
            case Op.branchConditional:
                if let target = flow.decided[index] { result += [2 << 16 | Op.branch, target] } else { result += instruction(at) }
            default: result += instruction(at)
            }
        }
    }

    private func isDecorationOf(_ dropped: Set<UInt32>, _ at: Int) -> Bool {
        words[at] & 0xFFFF == Op.decorate && dropped.contains(words[at + 1])
    }
}

/// Opcodes that specialisation meets.
private enum Op {
    static let line: UInt32 = 8
    static let typeBool: UInt32 = 20
    static let constantTrue: UInt32 = 41
    static let constantFalse: UInt32 = 42
    static let constant: UInt32 = 43
    static let specConstantTrue: UInt32 = 48
    static let specConstantFalse: UInt32 = 49
    static let specConstant: UInt32 = 50
    static let specConstantOp: UInt32 = 52
    static let function: UInt32 = 54
    static let functionParameter: UInt32 = 55
    static let functionEnd: UInt32 = 56
    static let decorate: UInt32 = 71
    static let phi: UInt32 = 245
    static let loopMerge: UInt32 = 246
    static let selectionMerge: UInt32 = 247
    static let label: UInt32 = 248
    static let branch: UInt32 = 249
    static let branchConditional: UInt32 = 250
    static let `switch`: UInt32 = 251
    static let unreachable: UInt32 = 255
    static let noLine: UInt32 = 317
    static let moduleProcessed: UInt32 = 330
    /// Instructions of blocks that have three words or more and no result: stores, barriers, and those that end blocks or name a construct.
    static let withoutResult: Set<UInt32> = [
        62, 63, 64, 99, 224, 225, 228, loopMerge, selectionMerge, branch, branchConditional, `switch`, 254,
    ]
}
