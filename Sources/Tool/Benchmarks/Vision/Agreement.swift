import Foundation

/// Agreement of a kernel's result with its oracle's.
package enum Agreement: Equatable, CustomStringConvertible {
    /// Results that both found, of all that either found.
    case common(Int, of: Int)
    /// Greatest absolute difference of two values, in their unit; 0 where all bits are the same.
    case difference(Double)
    /// Shares of the result that are right by the exact truth, 0…1, where the two are not meant to be equal.
    case right(kernel: Double, oracle: Double)
    /// Shares of disparities that are wrong.
    case wrong(kernel: StereoErrors, oracle: StereoErrors)

    package var description: String {
        switch self {
        case .common(let count, let all): "\(count) of \(all) equal"
        case .difference(let most): most == 0 ? "equal" : String(format: "differ by %.2g at most", most)
        case .right(let kernel, let oracle): String(format: "%.2f %% right, library %.2f %%", kernel * 100, oracle * 100)
        case .wrong(let kernel, let oracle):
            String(
                format: "%.2f %% wrong, at edges %.2f %%; library %.2f %%, %.2f %%", kernel.all * 100, kernel.edges * 100, oracle.all * 100,
                oracle.edges * 100)
        }
    }
}
