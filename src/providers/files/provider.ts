import { bytesInWords } from '../../format/sizes.ts'
export interface Contents {
  size: number
  /** In hexadecimal. */
  sha256: string
  /** The media type that the file's signature shows; null if it is unknown. */
  type: string | null
  /** Whether the start of the file is plain UTF-8 text. */
  isText: boolean
}

/** The dimensions and duration of a picture or film; values that its bytes do not state are null. */
export interface Measures {
  lengthMs: number | null
  /** The width in displayed pixels, after any rotation in the metadata. */
  width: number | null
  height: number | null
}

export const UNKNOWN: Measures = { lengthMs: null, width: null, height: null }

/** Both ends are inclusive and counted from 0. */
export interface ByteRange {
  start: number
  end: number
}

export interface UploadAddress {
  url: string
  headers: Record<string, string>
}

export interface UploadTerms {
  /** The time from which the URL is valid, by the system's clock; it stays valid for `seconds`. */
  now: Date
  seconds: number
  /** The size in bytes that the client announced; the store refuses an upload of another size. Null if unknown. */
  size: number | null
}

export interface WriteOptions {
  maxBytes: number
  signal?: AbortSignal | undefined
}

/** Stores the bytes of files under keys `<account>/<file>`. Stored bytes are never overwritten. No method holds a whole file in memory. */
export interface FileStore {
  readonly name: string
  /** The prefix of direct upload URLs; null if uploads go through the service. */
  readonly uploadsBelow: string | null
  /** Returns a URL for one direct upload; null if uploads go through the service. */
  uploadAddress(key: string, terms: UploadTerms): Promise<UploadAddress | null>
  /** Stores bytes permanently and returns their number. On failure, it stores nothing. Throws FileTooLargeError or KeyTakenError. */
  write(key: string, chunks: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<number>
  /** Computes the properties of the stored bytes; null if there are none. Throws FileTooLargeError. */
  inspect(key: string, options: WriteOptions): Promise<Contents | null>
  /** Returns all the bytes or a range of them; null if there are none. */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>
  /** Succeeds even if the key has no bytes. */
  remove(key: string): Promise<void>
  removeAccount(accountId: string): Promise<void>
  /** Removes partial files of writes that a crash interrupted. */
  sweep(): Promise<void>
  close(): Promise<void>
}

export interface Files {
  readonly current: FileStore
  /** Returns the store that holds a file, which may not be the one for new files. Throws if the store is not configured. */
  named(name: string): FileStore
  /** `type` is the media type that was detected in the file's bytes. */
  measure(file: { account: string; store: string; key: string; size: number; type: string }): Promise<Measures>
  readonly all: readonly FileStore[]
  sweep(): Promise<void>
  close(): Promise<void>
}

export class FileTooLargeError extends Error {
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`The file is larger than ${bytesInWords(maxBytes)}.`)
    this.maxBytes = maxBytes
  }
}

export class KeyTakenError extends Error {}
