import RackfocusKit
import Support

extension LensFailure {
    /// Throws where the lens failed on all frames there are, and warns of fewer.
    func report(among count: Int) throws {
        guard frames < count else { throw self }
        StandardError.print("rackfocus: warning: \(self)")
    }
}
