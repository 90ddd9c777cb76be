extension CVBuffer {
    /// Shares of red and blue in luma, by the tag of the matrix; BT.709's without one.
    package var lumaShares: (red: Double, blue: Double) {
        switch CVBufferCopyAttachment(self, kCVImageBufferYCbCrMatrixKey, nil) as? CFString {
        case kCVImageBufferYCbCrMatrix_ITU_R_601_4: (0.299, 0.114)
        case kCVImageBufferYCbCrMatrix_ITU_R_2020: (0.2627, 0.0593)
        default: (0.2126, 0.0722)
        }
    }
}
