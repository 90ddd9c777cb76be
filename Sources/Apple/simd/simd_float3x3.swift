/// Matrix of three columns and three rows.
public struct simd_float3x3: Sendable, Equatable {
    /// Columns from left to right.
    public var columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    /// Makes the zero matrix.
    public init() { columns = (.zero, .zero, .zero) }
    /// Makes a matrix from its columns.
    public init(columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)) { self.columns = columns }
    /// Makes a matrix from its columns.
    public init(_ col0: SIMD3<Float>, _ col1: SIMD3<Float>, _ col2: SIMD3<Float>) { columns = (col0, col1, col2) }
    /// Makes a matrix with this diagonal and zeros elsewhere.
    public init(diagonal: SIMD3<Float>) { self.init(SIMD3(diagonal.x, 0, 0), SIMD3(0, diagonal.y, 0), SIMD3(0, 0, diagonal.z)) }
    /// Makes a matrix from three rows.
    public init(rows: [SIMD3<Float>]) { self = Self(rows[0], rows[1], rows[2]).transpose }

    /// Column of this index, 0…2.
    public subscript(column: Int) -> SIMD3<Float> {
        get {
            switch column {
            case 0: columns.0
            case 1: columns.1
            case 2: columns.2
            default: preconditionFailure("a matrix of three columns has no column \(column)")
            }
        }
        set {
            switch column {
            case 0: columns.0 = newValue
            case 1: columns.1 = newValue
            case 2: columns.2 = newValue
            default: preconditionFailure("a matrix of three columns has no column \(column)")
            }
        }
    }

    /// Element by column and row, each 0…2.
    public subscript(column: Int, row: Int) -> Float {
        get { self[column][row] }
        set { self[column][row] = newValue }
    }

    /// Matrix with rows for columns.
    public var transpose: Self {
        let (a, b, c) = columns
        return Self(SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z))
    }

    /// Volume of the unit cube's image, negative where it is mirrored.
    public var determinant: Float { simd_dot(columns.0, simd_cross(columns.1, columns.2)) }

    /// Inverse matrix; not numbers where the determinant is 0.
    public var inverse: Self {
        let (a, b, c) = columns
        let rows = (simd_cross(b, c), simd_cross(c, a), simd_cross(a, b))
        return Self(rows.0 / determinant, rows.1 / determinant, rows.2 / determinant).transpose
    }

    /// Whether all elements are equal.
    public static func == (a: Self, b: Self) -> Bool { a.columns == b.columns }
    /// Returns the image of a vector.
    public static func * (m: Self, v: SIMD3<Float>) -> SIMD3<Float> { m.columns.0 * v.x + m.columns.1 * v.y + m.columns.2 * v.z }
    /// Returns the matrix that applies `b`, then `a`.
    public static func * (a: Self, b: Self) -> Self { Self(a * b.columns.0, a * b.columns.1, a * b.columns.2) }
    /// Returns the matrix with every element multiplied.
    public static func * (a: Float, b: Self) -> Self { Self(a * b.columns.0, a * b.columns.1, a * b.columns.2) }
}
