import CoreVideo

extension PictureColors {
    /// Colours that a picture's attachments name; BT.709 where they name none.
    package init(attachedTo picture: CVBuffer) {
        func text(_ key: CFString) -> CFString? { CVBufferCopyAttachment(picture, key, nil) as? CFString }
        self = .bt709
        switch text(kCVImageBufferYCbCrMatrixKey) {
        case kCVImageBufferYCbCrMatrix_ITU_R_601_4: matrix = 6
        case kCVImageBufferYCbCrMatrix_ITU_R_2020: matrix = 9
        default: break
        }
        switch text(kCVImageBufferTransferFunctionKey) {
        case kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: transfer = 16
        case kCVImageBufferTransferFunction_ITU_R_2100_HLG: transfer = 18
        default: break
        }
        if text(kCVImageBufferColorPrimariesKey) == kCVImageBufferColorPrimaries_ITU_R_2020 { primaries = 9 }
    }
}

extension CVPixelBuffer {
    /// Attaches colours, as far as they have names there, for the lens.
    package func attach(_ colors: PictureColors) {
        let matrix: CFString? =
            switch colors.matrix {
            case 1: kCVImageBufferYCbCrMatrix_ITU_R_709_2
            case 5, 6: kCVImageBufferYCbCrMatrix_ITU_R_601_4
            case 9: kCVImageBufferYCbCrMatrix_ITU_R_2020
            default: nil
            }
        let transfer: CFString? =
            switch colors.transfer {
            case 16: kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ
            case 18: kCVImageBufferTransferFunction_ITU_R_2100_HLG
            default: kCVImageBufferTransferFunction_ITU_R_709_2
            }
        let primaries: CFString? =
            switch colors.primaries {
            case 1: kCVImageBufferColorPrimaries_ITU_R_709_2
            case 9: kCVImageBufferColorPrimaries_ITU_R_2020
            default: nil
            }
        let tags = [
            (kCVImageBufferYCbCrMatrixKey, matrix), (kCVImageBufferTransferFunctionKey, transfer), (kCVImageBufferColorPrimariesKey, primaries),
        ]
        for (key, value) in tags { if let value { CVBufferSetAttachment(self, key, value, .shouldPropagate) } }
    }
}
