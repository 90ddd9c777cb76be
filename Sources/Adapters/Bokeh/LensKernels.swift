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

    /// Number of kernels compiled so far.
    var count: Int { kernels.count }

    /// Compiled where it is not yet. Throws `BokehError`.
    func kernel(of pass: LensPass, _ variant: LensVariant) throws -> VulkanKernel {
        let shader = try shaders[pass.shader] ?? LibraryShader(pass.shader)
        shaders[pass.shader] = shader
        check(pass, shader)
        let declared = shader.interface.constants
        let constants = LensConstants.all(variant).merging(pass.constants) { _, own in own }.filter { declared[$0.key] != nil }
        let key = Key(shader: pass.shader, constants: constants)
        if let kernel = kernels[key] { return kernel }
        let kernel = try VulkanKernel(context, shader, constants: constants, pushBytes: MemoryLayout<LensParameters>.size)
        kernels[key] = kernel
        return kernel
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
