import gifenc from 'gifenc';
import type { Page } from 'playwright-core';
import { z } from 'zod';

/** Shared by all frames, so that areas that do not change compress well. */
const MAX_COLORS = 128;

interface Frame {
  pixels: Uint8ClampedArray;
  width: number;
  height: number;
  shownMs: number;
}

/** Takes pictures of a page, and encodes them as one GIF. */
export interface Animation {
  /** Shows what the page shows now for this long. */
  frame(shownMs: number): Promise<void>;
  count(): number;
  encode(): Promise<Uint8Array>;
}

/** @param decoder a blank page, which turns PNG files into pixels */
export function createAnimation(page: Page, decoder: Page): Animation {
  const shots: { png: Buffer; shownMs: number }[] = [];
  return {
    frame: async (shownMs) => {
      shots.push({ png: await page.screenshot({ animations: 'disabled', caret: 'hide' }), shownMs });
    },
    count: () => shots.length,
    encode: async () => {
      const frames: Frame[] = [];
      for (const { png, shownMs } of shots) frames.push({ ...(await decode(decoder, png)), shownMs });
      return encodeFrames(frames);
    },
  };
}

/** A browser decodes it, so no package for PNG is needed. */
async function decode(decoder: Page, png: Buffer): Promise<Omit<Frame, 'shownMs'>> {
  const decoded = await decoder.evaluate(`(${DECODE})('${png.toString('base64')}')`);
  const { base64, width, height } = pixelsOf.parse(decoded);
  return { pixels: new Uint8ClampedArray(Buffer.from(base64, 'base64')), width, height };
}
const pixelsOf = z.object({ base64: z.string(), width: z.number(), height: z.number() });
/** Runs in the browser, whose types this program does not have. */
const DECODE = `async (source) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + source;
  await image.decode();
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  let binary = '';
  for (let at = 0; at < data.length; at += 32768) binary += String.fromCharCode(...data.subarray(at, at + 32768));
  return { base64: btoa(binary), width, height };
}`;

/** Pixels that are as in the frame before are transparent: most of a screen does not change. */
function encodeFrames(frames: readonly Frame[]): Uint8Array {
  const encoder = gifenc.GIFEncoder();
  const sample = frames.flatMap(({ pixels }) => [...sampleOf(pixels)]);
  const palette = gifenc.quantize(new Uint8ClampedArray(sample), MAX_COLORS - 1);
  const transparentIndex = palette.length;
  let before: Uint8Array | undefined;
  for (const [number, { pixels, width, height, shownMs }] of frames.entries()) {
    const indexed = gifenc.applyPalette(pixels, palette);
    const changed = before ? indexed.map((color, at) => (color === before?.[at] ? transparentIndex : color)) : indexed;
    before = indexed;
    encoder.writeFrame(changed, width, height, {
      ...(number === 0 ? { palette: [...palette, [0, 0, 0]] } : {}),
      delay: shownMs,
      transparent: number > 0,
      transparentIndex,
      dispose: 1,
    });
  }
  encoder.finish();
  return encoder.bytes();
}

/** Every 29th pixel: enough to find the colors of a screen. */
function* sampleOf(pixels: Uint8ClampedArray): Generator<number> {
  for (let at = 0; at + 3 < pixels.length; at += 4 * 29) yield* pixels.subarray(at, at + 4);
}
