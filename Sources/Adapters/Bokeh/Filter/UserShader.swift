/// A user's own filter: a GLSL compute shader that runs over every picture after the blur.
///
/// It finds the picture at binding 0 and writes its own at binding 1, both `rgba32f` storage images of the picture's size with red, green and
/// blue as encoded, 0 to 1; a push constant `int`, if it has one, tells how many pictures were before. `Shaders/Examples/invert.comp` is one.
public struct UserShader: Sendable, Equatable {
    /// Path of its source.
    public let path: String
    /// Time that the filter may take for one picture, the driver's compilation with the first included.
    public static let timeLimit: Duration = .seconds(20)
    let words: [UInt32]
    let interface: SPIRVInterface

    /// Compiles the file. Throws `BokehError` with the file, line and column of every error, or with what does not fit a filter.
    public init(path: String) throws {
        self.path = path
        words = try GLSLCompiler().compile(path)
        interface = try SPIRVInterface(words: words).checkedAsFilter(path)
    }
}

extension SPIRVInterface {
    /// Throws `invalidShader` unless a filter may declare what this shader declares.
    func checkedAsFilter(_ path: String) throws -> SPIRVInterface {
        func refuse(_ reason: String) -> BokehError { BokehError(.invalidShader, "\(path): \(reason); Shaders/Examples/invert.comp shows how") }
        let sides = [localSize.x, localSize.y, localSize.z]
        guard sides.allSatisfy({ $0 > 0 }) else { throw refuse("its local size must be numbers, as `local_size_x = 8`") }
        // Each side comes first: together they may be more than a number holds.
        guard localSize.z == 1, sides.allSatisfy({ $0 <= 128 }), localSize.x * localSize.y <= 128 else {
            throw refuse("its workgroups are \(localSize.x)x\(localSize.y)x\(localSize.z), and may be of 128 threads in two dimensions")
        }
        for resource in resources {
            guard resource.set == 0, (0...1).contains(resource.binding), resource.isColourImage else {
                throw refuse("set \(resource.set), binding \(resource.binding) must be an rgba32f image2D: 0 the picture, 1 the result")
            }
        }
        guard resources.contains(where: { $0.binding == 1 }) else { throw refuse("it writes no result (binding 1)") }
        guard pushBytes <= 4 else { throw refuse("its push constants have \(pushBytes) bytes, and may be one int") }
        return self
    }
}
