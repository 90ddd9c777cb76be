/// Value of a specialisation constant, an integer or a float of 32 bits.
struct ShaderConstant: Hashable, ExpressibleByIntegerLiteral {
    let bits: Int32
    let isFloat: Bool

    init(_ value: Int) { (bits, isFloat) = (Int32(value), false) }
    init(_ value: Float) { (bits, isFloat) = (Int32(bitPattern: value.bitPattern), true) }
    init(_ value: Bool) { self.init(value ? 1 : 0) }
    init(integerLiteral value: Int) { self.init(value) }
}
