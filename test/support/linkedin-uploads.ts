import { type Answer, type Incoming, jsonIn } from './network-server.ts'

const PART = 4_194_304

export interface Upload {
  urn: string
  type: 'image' | 'video'
  total: number
  /** Bytes by part; an image has one. */
  parts: number[]
  isFinal: boolean
  looks: number
}

/** The images and videos that a stand-in for LinkedIn is sent, in parts. */
export class LinkedInUploads {
  readonly all: Upload[] = []
  readonly #owner: string
  #made = 0

  constructor(owner: string) {
    this.#owner = owner
  }

  isFinal(urn: string): boolean {
    return this.all.some((one) => one.urn === urn && one.isFinal)
  }

  initialize(request: Incoming, type: Upload['type']): Answer {
    const { owner, fileSizeBytes = 0, ...more } = jsonIn(request)?.initializeUploadRequest ?? {}
    const others = type === 'video' ? ['uploadCaptions', 'uploadThumbnail'] : []
    if (
      owner !== this.#owner ||
      Object.keys(more).some((name) => !others.includes(name)) ||
      (type === 'video' && !fileSizeBytes)
    )
      return [400, { message: 'initializeUploadRequest is invalid' }]
    const urn = `urn:li:${type}:D${++this.#made}`
    const parts = Array.from({ length: type === 'video' ? Math.ceil(fileSizeBytes / PART) : 1 }, () => 0)
    this.all.push({ urn, type, total: fileSizeBytes, parts, isFinal: false, looks: 0 })
    const uploadUrl = `https://www.linkedin.com/dms-uploads/${this.all.length - 1}`
    if (type === 'image')
      return [200, { value: { uploadUrlExpiresAt: 1_900_000_000_000, uploadUrl: `${uploadUrl}/0?ut=x`, image: urn } }]
    const uploadInstructions = parts.map((_, index) => ({
      uploadUrl: `${uploadUrl}/${index}?ut=x`,
      firstByte: index * PART,
      lastByte: Math.min((index + 1) * PART, fileSizeBytes) - 1,
    }))
    return [200, { value: { uploadUrlsExpireAt: 1_900_000_000_000, video: urn, uploadInstructions, uploadToken: '' } }]
  }

  receive({ path, query, sent }: Incoming): Answer {
    const [, upload, part] = /^\/dms-uploads\/(\d+)\/(\d+)$/.exec(path) ?? []
    const found = this.all[Number(upload)]
    if (found?.parts[Number(part)] !== 0 || query.get('ut') !== 'x' || sent.length === 0)
      return [400, { message: 'bad upload' }]
    found.parts[Number(part)] = sent.length
    if (found.type === 'image') found.isFinal = true
    return [201, undefined, { ETag: `"tag-${part}"` }]
  }

  finalize(request: Incoming): Answer {
    const { video, uploadToken, uploadedPartIds } = jsonIn(request)?.finalizeUploadRequest ?? {}
    const found = this.all.find((one) => one.urn === video)
    const sent = found?.parts.reduce((sum, bytes) => sum + bytes, 0)
    const tags = found?.parts.map((_, index) => `tag-${index}`)
    if (!found || uploadToken !== '' || sent !== found.total || String(uploadedPartIds) !== String(tags))
      return [400, { message: 'finalizeUploadRequest is invalid' }]
    found.isFinal = true
    return [200]
  }

  look(urn: string): Answer {
    const found = this.all.find((one) => one.urn === urn)
    if (!found) return [404, { message: 'Not found' }]
    found.looks += 1
    return [200, { id: urn, owner: this.#owner, status: found.looks > 1 ? 'AVAILABLE' : 'PROCESSING' }]
  }
}
