import Dispatch

/// Compiled passes of the lens on one device; each shader is compiled once for the same constants.
final class LensKernels {
    private struct Key: Hashable {
        let shader: String
        let constants: [String: ShaderConstant]
    }

    private let context: VulkanContext
    private var shaders: [String: LibraryShader] = [:]
    private var kernels: [Key: VulkanKernel] = [:]

    init(_ context: VulkanContext) { self.context = context }

    /// Pipelines of `passes` in their order; those that are not compiled yet are compiled on all cores at once, by `onCompile`, which is called where
    /// there are some. Throws `BokehError`.
    func kernels(
        of passes: [LensPass], _ variant: LensVariant, onCompile: (() throws -> Void) throws -> Void
    ) throws -> [VulkanKernel] {
        let keys = try passes.map { try key(of: $0, variant) }
        var seen: Set<Key> = []
        let missing = keys.filter { kernels[$0] == nil && seen.insert($0).inserted }
        if !missing.isEmpty {
            try onCompile { for (key, kernel) in zip(missing, try compile(missing)) { kernels[key] = kernel } }
        }
        return keys.map { kernels[$0]! }
    }

    private func key(of pass: LensPass, _ variant: LensVariant) throws -> Key {
        let shader = try shaders[pass.shader] ?? LibraryShader(pass.shader)
        shaders[pass.shader] = shader
        check(pass, shader)
        let declared = shader.interface.constants
        let constants = LensConstants.all(variant).merging(pass.constants) { _, own in own }.filter { declared[$0.key] != nil }
        return Key(shader: pass.shader, constants: constants)
    }

    private func compile(_ keys: [Key]) throws -> [VulkanKernel] {
        var results = [Result<VulkanKernel, any Error>?](repeating: nil, count: keys.count)
        results.withUnsafeMutableBufferPointer { [shaders] results in
            nonisolated(unsafe) let (results, context) = (results, context)
            DispatchQueue.concurrentPerform(iterations: keys.count) { index in
                let key = keys[index]
                results[index] = Result {
                    try VulkanKernel(
                        context, shaders[key.shader]!, constants: key.constants, pushBytes: MemoryLayout<LensParameters>.size)
                }
            }
        }
        return try results.map { try $0!.get() }
    }

    /// Traps where a pass and its shader disagree.
    private func check(_ pass: LensPass, _ shader: LibraryShader) {
        for resource in shader.interface.resources {
            let isRead = pass.reads[resource.name] != nil
            precondition(isRead != (pass.writes[resource.name] != nil), "the pass of `\(shader.name)` names \(resource.name) not once, or not at all")
            precondition(isRead == resource.isReadOnly, "the pass of `\(shader.name)` and its shader disagree whether \(resource.name) is written")
        }
        let names = Set(shader.interface.resources.map(\.name))
        for name in [pass.reads, pass.writes].flatMap(\.keys) {
            precondition(names.contains(name), "the shader `\(shader.name)` has no buffer \(name)")
        }
        for name in pass.constants.keys {
            precondition(shader.interface.constants[name] != nil, "the shader `\(shader.name)` has no constant \(name)")
        }
    }
}
