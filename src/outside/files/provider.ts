import { bytesInWords } from '../../words/sizes.ts'
/** What bytes are, found out from themselves. */
export interface Contents {
  size: number
  /** SHA-256 in hexadecimal. */
  sha256: string
  /** The media type that their signature tells, or null when they have none that is known. */
  type: string | null
  /** They begin with nothing but text in UTF-8. */
  isText: boolean
}

/** What pictures and films measure; null for what their bytes do not tell. */
export interface Measures {
  /** Length of a film in milliseconds. */
  lengthMs: number | null
  /** In pixels, as it is shown: turned where its bytes say so. */
  width: number | null
  height: number | null
}

export const UNKNOWN: Measures = { lengthMs: null, width: null, height: null }

/** Bytes from `start` to `end`, both included, from 0. */
export interface ByteRange {
  start: number
  end: number
}

/** Where a client sends the bytes of a file, and with which headers. */
export interface UploadAddress {
  url: string
  headers: Record<string, string>
}

export interface UploadTerms {
  /** From when, by the system's clock, and for how long it can be used. */
  now: Date
  seconds: number
  /** What the client has said that it will send; nothing else is taken then. */
  size: number | null
}

export interface WriteOptions {
  /** One byte more is refused. */
  maxBytes: number
  signal?: AbortSignal | undefined
}

/**
 * Where the bytes of files are. A key is `<account>/<file>`; what is once written under a key is never overwritten. Nothing
 * here holds a whole file in memory.
 */
export interface FileStore {
  readonly name: string
  /** What the addresses begin with to which clients send bytes by themselves; null when the service has to take them. */
  readonly uploadsBelow: string | null
  /** Where a client sends the bytes for a key by itself, once; null when the service has to take them. */
  uploadAddress(key: string, terms: UploadTerms): Promise<UploadAddress | null>
  /**
   * Keeps bytes for good; a reader sees all of them or none. Resolves with how many there are. Throws FileTooLargeError or
   * KeyTakenError; then, and when the bytes end with an error, nothing is kept.
   */
  write(key: string, chunks: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<number>
  /** Reads all bytes to find out what they are; null when there are none. Throws FileTooLargeError. */
  inspect(key: string, options: WriteOptions): Promise<Contents | null>
  /** The bytes, or a part of them; null when there are none. */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>
  /** Removes the bytes of a key; it is no error when there are none. */
  remove(key: string): Promise<void>
  removeAccount(accountId: string): Promise<void>
  /** Removes what writes have left that a crash ended. */
  sweep(): Promise<void>
  close(): Promise<void>
}

export interface Files {
  readonly current: FileStore
  /** The one that a row names; files stay where they were written when the settings change. Throws when it is not set up. */
  named(name: string): FileStore
  /** What a picture or a film measures that a store keeps, of the type that its bytes tell. */
  measure(file: { account: string; store: string; key: string; size: number; type: string }): Promise<Measures>
  readonly all: readonly FileStore[]
  /** Removes what writes have left that a crash ended. */
  sweep(): Promise<void>
  close(): Promise<void>
}

/** The bytes are more than there may be. */
export class FileTooLargeError extends Error {
  override name = 'FileTooLargeError'
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`The file is larger than ${bytesInWords(maxBytes)}.`)
    this.maxBytes = maxBytes
  }
}

/** There are bytes under the key already. */
export class KeyTakenError extends Error {
  override name = 'KeyTakenError'
}
