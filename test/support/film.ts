import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny'

/** Video containers: MP4 with its index at the end or fragmented, QuickTime, and WebM with its duration or as browsers record it. */
export const FILMS: Record<string, () => OutputFormat> = {
  mp4: () => new Mp4OutputFormat({ fastStart: false }),
  'mp4 in parts': () => new Mp4OutputFormat({ fastStart: 'fragmented' }),
  mov: () => new MovOutputFormat({ fastStart: 'in-memory' }),
  webm: () => new WebMOutputFormat(),
  'webm as recorded': () => new WebMOutputFormat({ appendOnly: true }),
}

/** The stored size. Players rotate the video by 90 degrees if it is `turned`. */
const SIDES = { width: 640, height: 360, turned: false }

/** Creates a video with one frame per second. Its frames are not decodable. */
export async function film(
  kind: keyof typeof FILMS,
  seconds: number,
  { width, height, turned }: typeof SIDES = SIDES,
): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({ format: FILMS[kind]!(), target })
  const pictures = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(pictures, { frameRate: 1, ...(turned && { rotation: 90 }) })
  await output.start()
  const config = { codec: 'vp09.00.10.08', codedWidth: width, codedHeight: height }
  for (let at = 0; at < seconds; at++) {
    const packet = new EncodedPacket(new Uint8Array(20), at % 10 === 0 ? 'key' : 'delta', at, 1)
    await pictures.add(packet, at === 0 ? { decoderConfig: config } : undefined)
  }
  await output.finalize()
  return new Uint8Array(target.buffer!)
}

/** Creates an MP4 without a duration whose index claims four billion frames in each fragment. */
export async function endlessFilm(): Promise<Uint8Array> {
  const bytes = Buffer.from(await film('mp4', 3))
  const at = (box: string) => bytes.lastIndexOf(box)
  const lengths = { mvhd: 20, tkhd: 24, mdhd: 20 }
  for (const [box, offset] of Object.entries(lengths)) bytes.fill(0, at(box) + offset, at(box) + offset + 8)
  bytes.writeUInt32BE(0xffffffff, at('stsc') + 16)
  return bytes
}
