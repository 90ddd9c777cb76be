// The module AVFAudio: the audio session of the app, which the capture graph has, formats, buffers, files, a converter and a recorder of sound. Players are
// absent, and engines are names that compile; Coverage.md lists them.
@_exported import AVFCapture
