internal import COpenCV

/// Failure of a library function beside which a kernel is measured.
package struct OracleError: Error, CustomStringConvertible {
    /// Work under way.
    package let operation: String
    /// Reason in OpenCV's or dlib's words.
    package let underlying: String

    package var description: String { "\(operation) failed: \(underlying)" }

    /// Throws when `status` is not RF_OK.
    static func check(_ operation: String, _ status: Int32) throws {
        guard status != 0 else { return }
        throw OracleError(operation: operation, underlying: String(cString: rf_error_message()))
    }
}
