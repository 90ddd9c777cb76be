extension UIColor {
    /// 255, 59, 48, the system's red in light surroundings.
    public static let systemRed = UIColor(bytes: 255, 59, 48)
    /// 255, 149, 0.
    public static let systemOrange = UIColor(bytes: 255, 149, 0)
    /// 255, 204, 0.
    public static let systemYellow = UIColor(bytes: 255, 204, 0)
    /// 52, 199, 89.
    public static let systemGreen = UIColor(bytes: 52, 199, 89)
    /// 0, 122, 255.
    public static let systemBlue = UIColor(bytes: 0, 122, 255)
    /// 142, 142, 147.
    public static let systemGray = UIColor(bytes: 142, 142, 147)

    private convenience init(bytes red: CGFloat, _ green: CGFloat, _ blue: CGFloat) {
        self.init(red: red / 255, green: green / 255, blue: blue / 255, alpha: 1)
    }
}
