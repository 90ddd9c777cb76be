import CoreVideo
import Testing

@testable import Bokeh

@Suite("Specialisation of SPIR-V")
struct SPIRVSpecializationTests {
    /// Void, bool, two constants of truth with the numbers 5 and 6 (false by default), and a function of `body`, whose first block is 6.
    private static func module(_ body: [[UInt32]]) -> [UInt32] {
        let instructions: [[UInt32]] =
            [[5, 4, 0x61], [71, 4, 1, 5], [71, 11, 1, 6], [71, 12, 0], [19, 1], [33, 2, 1], [20, 3], [49, 3, 4], [49, 3, 11]]
            + [[54, 1, 5, 0, 2], [248, 6]] + body + [[56]]
        return [0x0723_0203, 0x1_0300, 0, 20, 0] + instructions.flatMap { [UInt32($0.count) << 16 | $0[0]] + $0.dropFirst() }
    }

    /// Instructions behind the header.
    private static func instructions(_ words: [UInt32]) -> [[UInt32]] {
        var (result, at) = ([[UInt32]](), 5)
        while at < words.count {
            result.append([words[at] & 0xFFFF] + words[at + 1..<at + Int(words[at] >> 16)])
            at += Int(words[at] >> 16)
        }
        return result
    }

    @Test("a branch that a constant decides is taken, and the other one goes with all that names it", arguments: [UInt32(0), 1])
    func branch(value: UInt32) {
        let words = Self.module([
            [247, 9, 0], [250, 4, 7, 8], [248, 7], [249, 9], [248, 8], [168, 3, 12, 10], [249, 9], [248, 9], [245, 3, 10, 4, 7, 11, 8], [253],
        ])
        let result = Self.instructions(SPIRVSpecialization(words: words).words(with: [5: value]))
        #expect(!result.contains { [5, 48, 49, 247, 250].contains($0[0]) }, "\(result)")
        #expect(result.contains([value == 1 ? 41 : 42, 3, 4]) && result.contains([42, 3, 11]), "one is set, the other keeps its default")
        #expect(result.filter { $0[0] == 248 }.map { $0[1] } == [6, value == 1 ? 7 : 8, 9])
        #expect(result.contains(value == 1 ? [245, 3, 10, 4, 7] : [245, 3, 10, 11, 8]))
        #expect(result.contains([71, 12, 0]) == (value == 0), "a decoration of what is gone is gone")
    }

    @Test("a condition joined from constants, by a short circuit too, decides")
    func joined() {
        // if (a && b) as glslang writes it: b is looked at where a holds.
        let words = Self.module([
            [247, 9, 0], [250, 4, 7, 9], [248, 7], [249, 9], [248, 9], [245, 3, 10, 4, 6, 11, 7], [247, 14, 0], [250, 10, 13, 14], [248, 13],
            [249, 14], [248, 14], [253],
        ])
        func labels(_ constants: [UInt32: UInt32]) -> [UInt32] {
            Self.instructions(SPIRVSpecialization(words: words).words(with: constants)).filter { $0[0] == 248 }.map { $0[1] }
        }
        #expect(labels([5: 0, 6: 1]) == [6, 9, 14])
        #expect(labels([5: 1, 6: 0]) == [6, 7, 9, 14])
        #expect(labels([5: 1, 6: 1]) == [6, 7, 9, 13, 14])
    }

    @Test("a loop that never begins keeps an empty way back, as its header names it")
    func loop() {
        let words = Self.module([
            [249, 7], [248, 7], [245, 3, 12, 4, 6, 11, 9], [246, 10, 9, 0], [250, 4, 8, 10], [248, 8], [249, 9], [248, 9], [249, 7], [248, 10], [253],
        ])
        let result = Self.instructions(SPIRVSpecialization(words: words).words(with: [5: 0]))
        #expect(result.filter { $0[0] == 248 }.map { $0[1] } == [6, 7, 9, 10])
        #expect(result.contains([246, 10, 9, 0]) && result.contains([249, 10]) && result.contains([249, 7]))
        #expect(result.contains([245, 3, 12, 4, 6, 4, 9]), "both ways in have a value")
    }

    @Test("a shader of the lens has no constants left, and of its size a part")
    func shader() throws {
        let shader = try LibraryShader("setup")
        let variant = try LensVariant.small
        func specialized(near: Int) -> [UInt32] {
            let all = LensConstants.all(variant).merging(["NEAR": ShaderConstant(near), "LIGHTS": ShaderConstant(0)]) { _, own in own }
            let values = shader.interface.constants.map { name, constant in (constant.id, UInt32(bitPattern: all[name]!.bits)) }
            return shader.specialization.words(with: Dictionary(uniqueKeysWithValues: values))
        }
        let words = specialized(near: 0)
        let interface = SPIRVInterface(words: words)
        #expect(interface.constants.isEmpty)
        #expect(interface.resources.map(\.binding) == shader.interface.resources.map(\.binding))
        #expect(words.count < specialized(near: 2).count && words.count < 30_000)
    }
}

extension LensVariant {
    /// Of a small picture.
    fileprivate static var small: LensVariant {
        get throws {
            let image = TestPicture.textured(48, 32, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            return LensVariant(try LensGeometry(image: image, disparity: TestPicture.disparity(24, 16) { _, _ in 0.5 }), nil, hasWideSums: false)
        }
    }
}
