import CoreVideo

extension PictureColors {
    /// Colours that a picture's attachments name; BT.709 where they name none.
    package init(attachedTo picture: CVBuffer) { self.init { CVBufferCopyAttachment(picture, $0, nil) as? CFString } }

    /// Colours by the names under Core Video's keys; BT.709 where there are none.
    package init(named text: (CFString) -> CFString?) {
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

    /// Names of the colours under Core Video's keys, as far as they have any there.
    package var names: [(key: CFString, value: CFString)] {
        let matrix: CFString? =
            switch matrix {
            case 1: kCVImageBufferYCbCrMatrix_ITU_R_709_2
            case 5, 6: kCVImageBufferYCbCrMatrix_ITU_R_601_4
            case 9: kCVImageBufferYCbCrMatrix_ITU_R_2020
            default: nil
            }
        let transfer: CFString =
            switch transfer {
            case 16: kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ
            case 18: kCVImageBufferTransferFunction_ITU_R_2100_HLG
            default: kCVImageBufferTransferFunction_ITU_R_709_2
            }
        let primaries: CFString? =
            switch primaries {
            case 1: kCVImageBufferColorPrimaries_ITU_R_709_2
            case 9: kCVImageBufferColorPrimaries_ITU_R_2020
            default: nil
            }
        let named = [
            (kCVImageBufferYCbCrMatrixKey, matrix), (kCVImageBufferTransferFunctionKey, transfer), (kCVImageBufferColorPrimariesKey, primaries),
        ]
        return named.compactMap { key, value in value.map { (key, $0) } }
    }
}

extension CVPixelBuffer {
    /// Attaches colours, as far as they have names there, for the lens.
    package func attach(_ colors: PictureColors) {
        for (key, value) in colors.names { CVBufferSetAttachment(self, key, value, .shouldPropagate) }
    }
}
