/** The package has no types. Colors are red, green and blue; pixels are RGBA. */
declare module 'gifenc' {
  type Palette = number[][];
  interface Encoder {
    writeFrame(
      index: Uint8Array,
      width: number,
      height: number,
      options: {
        palette?: Palette;
        /** Milliseconds. */
        delay: number;
        transparent: boolean;
        transparentIndex: number;
        dispose: number;
      },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  const gifenc: {
    GIFEncoder: () => Encoder;
    quantize: (pixels: Uint8ClampedArray, maxColors: number) => Palette;
    applyPalette: (pixels: Uint8ClampedArray, palette: Palette) => Uint8Array;
  };
  export default gifenc;
}
