/// Matrix of four columns and four rows.
public struct simd_float4x4: Sendable, Equatable {
    /// Columns from left to right.
    public var columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

    /// Makes the zero matrix.
    public init() { columns = (.zero, .zero, .zero, .zero) }
    /// Makes a matrix from its columns.
    public init(columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)) { self.columns = columns }
    /// Makes a matrix from its columns.
    public init(_ col0: SIMD4<Float>, _ col1: SIMD4<Float>, _ col2: SIMD4<Float>, _ col3: SIMD4<Float>) { columns = (col0, col1, col2, col3) }
    /// Makes a matrix with this diagonal and zeros elsewhere.
    public init(diagonal: SIMD4<Float>) {
        self.init(SIMD4(diagonal.x, 0, 0, 0), SIMD4(0, diagonal.y, 0, 0), SIMD4(0, 0, diagonal.z, 0), SIMD4(0, 0, 0, diagonal.w))
    }
    /// Makes a matrix from four rows.
    public init(rows: [SIMD4<Float>]) { self = Self(rows[0], rows[1], rows[2], rows[3]).transpose }

    /// Column of this index, 0…3.
    public subscript(column: Int) -> SIMD4<Float> {
        get {
            switch column {
            case 0: columns.0
            case 1: columns.1
            case 2: columns.2
            case 3: columns.3
            default: preconditionFailure("a matrix of four columns has no column \(column)")
            }
        }
        set {
            switch column {
            case 0: columns.0 = newValue
            case 1: columns.1 = newValue
            case 2: columns.2 = newValue
            case 3: columns.3 = newValue
            default: preconditionFailure("a matrix of four columns has no column \(column)")
            }
        }
    }

    /// Element by column and row, each 0…3.
    public subscript(column: Int, row: Int) -> Float {
        get { self[column][row] }
        set { self[column][row] = newValue }
    }

    /// Matrix with rows for columns.
    public var transpose: Self {
        let (a, b, c, d) = columns
        return Self(SIMD4(a.x, b.x, c.x, d.x), SIMD4(a.y, b.y, c.y, d.y), SIMD4(a.z, b.z, c.z, d.z), SIMD4(a.w, b.w, c.w, d.w))
    }

    /// Whether all elements are equal.
    public static func == (a: Self, b: Self) -> Bool { a.columns == b.columns }
    /// Returns the image of a vector.
    public static func * (m: Self, v: SIMD4<Float>) -> SIMD4<Float> {
        m.columns.0 * v.x + m.columns.1 * v.y + m.columns.2 * v.z + m.columns.3 * v.w
    }
    /// Returns the matrix that applies `b`, then `a`.
    public static func * (a: Self, b: Self) -> Self { Self(a * b.columns.0, a * b.columns.1, a * b.columns.2, a * b.columns.3) }
}

/// Matrix of four columns and three rows.
public struct simd_float4x3: Sendable, Equatable {
    /// Columns from left to right.
    public var columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    /// Makes a matrix from its columns.
    public init(columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)) { self.columns = columns }
    /// Makes a matrix from its columns.
    public init(_ col0: SIMD3<Float>, _ col1: SIMD3<Float>, _ col2: SIMD3<Float>, _ col3: SIMD3<Float>) { columns = (col0, col1, col2, col3) }

    /// Whether all elements are equal.
    public static func == (a: Self, b: Self) -> Bool { a.columns == b.columns }
    /// Returns the image of a vector.
    public static func * (m: Self, v: SIMD4<Float>) -> SIMD3<Float> {
        m.columns.0 * v.x + m.columns.1 * v.y + m.columns.2 * v.z + m.columns.3 * v.w
    }
}
