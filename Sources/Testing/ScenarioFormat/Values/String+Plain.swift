extension String {
    /// Text of a number as people write it: 2 for 2.0.
    package init(plain number: Double) {
        self = number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
    }
}
