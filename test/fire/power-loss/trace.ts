import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** One system call. `at` and `end` are the lines of the trace where it began and where it was over; a cut is between two lines. */
export interface Call {
  at: number
  end: number
  name: string
  /** As strace writes them, texts in hexadecimal. */
  args: string
  /** Negative for an error. */
  result: number
}

export interface Trace {
  calls: Call[]
  lines: number
}

/** What is asked of strace: everything that changes a disk, and what is written to sockets. */
export const STRACE = [
  '-f',
  '-yy',
  '-xx',
  ...['-s', '4000000'],
  '--seccomp-bpf',
  '-e',
  `trace=${[
    ...[
      'open',
      'openat',
      'openat2',
      'creat',
      'write',
      'pwrite64',
      'writev',
      'pwritev',
      'pwritev2',
      'sendmsg',
      'sendto',
    ],
    ...['fsync', 'fdatasync', 'sync_file_range', 'ftruncate', 'truncate', 'fallocate', 'copy_file_range', 'sendfile'],
    ...[
      'rename',
      'renameat',
      'renameat2',
      'link',
      'linkat',
      'unlink',
      'unlinkat',
      'mkdir',
      'mkdirat',
      'rmdir',
      'symlink',
    ],
  ].join(',')}`,
]

const LINE = /^(\d+) +(?:(\w+)\(|<\.\.\. (\w+) resumed>)(.*)$/s
const UNFINISHED = / ?<unfinished \.\.\.>$/
const RESULT = /\)? += (-?\d+)(?:<[^ ]*>)?(?: .*)?$/

/** Reads what `strace -o` has written, in the order in which calls began. */
export async function readTrace(path: string): Promise<Trace> {
  const calls: Call[] = []
  const open = new Map<string, Call>()
  let line = 0
  for await (const text of createInterface({
    input: createReadStream(path, 'latin1'),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    line += 1
    const [, pid = '', begun, resumed, rest = ''] = LINE.exec(text) ?? []
    if (begun !== undefined) {
      const call: Call = { at: line, end: Number.POSITIVE_INFINITY, name: begun, args: rest, result: 0 }
      calls.push(call)
      if (UNFINISHED.test(rest)) {
        call.args = rest.replace(UNFINISHED, '')
        open.set(`${pid} ${begun}`, call)
      } else finish(call, rest, line)
    } else if (resumed !== undefined) {
      const call = open.get(`${pid} ${resumed}`)
      open.delete(`${pid} ${resumed}`)
      if (call) finish(call, call.args + rest, line)
    }
  }
  return { calls, lines: line }
}

function finish(call: Call, text: string, line: number): void {
  const found = RESULT.exec(text.length > 400 ? text.slice(-400) : text)
  if (!found) return
  call.end = line
  call.result = Number(found[1])
  call.args = text.slice(0, text.length - found[0].length)
}

/** The text of `\x41\x42`. */
function textOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex')
}

/** The path of the descriptor that an argument names, or null for what is no file: `22<\x2f\x61>`. */
export function pathOf(argument: string): string | null {
  const [, hex] = /^(?:AT_FDCWD|\d+)<((?:\\x[0-9a-f]{2})+)>/.exec(argument) ?? []
  return hex === undefined || /^[^,]*\(deleted\)/.test(argument) ? null : textOf(hex).toString()
}

/** The port at the other end of a connection: `25<TCP:[127.0.0.1:80->127.0.0.1:6020]>`. */
export function peerOf(argument: string): number | null {
  const [, port] = /^\d+<TCP(?:v6)?:\[[^>]*->.*?:(\d+)\]>/.exec(argument) ?? []
  return port === undefined ? null : Number(port)
}

/** The quoted texts of arguments. */
export function quoted(args: string): Buffer[] {
  return [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex]) => textOf(hex!))
}
