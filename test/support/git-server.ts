import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The path of `git http-backend`, a CGI program; null if git is not installed. */
export const GIT_BACKEND = backend()

function backend(): string | null {
  try {
    const path = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend')
    return existsSync(path) ? path : null
  } catch {
    return null
  }
}

/** The content of a committed file: text, bytes or a symbolic link. */
export type Committed = string | Uint8Array | { link: string }

export interface GitServer {
  url: string
  /** Custom handlers by path, which replace git. */
  answers: Map<string, (request: IncomingMessage, response: ServerResponse) => void>
  /** The requested paths, in order. */
  asked: string[]
  /** Commits these files as the entire content of the repository `owner/name`. */
  commit(name: string, files: Record<string, Committed>): Promise<void>
  /** Runs git in the working copy of a repository. */
  git(name: string, ...args: string[]): void
  close(): Promise<void>
}

/** A git host on this machine that serves real repositories over HTTP. */
export async function startGitServer(): Promise<GitServer> {
  const root = await mkdtemp(join(tmpdir(), 'shopwright-git-'))
  const answers: GitServer['answers'] = new Map()
  const asked: string[] = []
  const http = createServer((request, response) => {
    const { pathname, search } = new URL(request.url!, 'http://git')
    asked.push(pathname)
    const answer = answers.get(pathname)
    if (answer) answer(request, response)
    else serve(join(root, 'served'), request, response, { pathname, query: search.slice(1) })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const copy = (name: string) => join(root, 'copies', name)
  const git = (name: string, ...args: string[]) => {
    const identity = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' }
    const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' }
    const env = {
      ...process.env,
      ...identity,
      ...committer,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ALLOW_PROTOCOL: 'file',
    }
    execFileSync('git', args, { cwd: copy(name), env, stdio: 'pipe' })
  }
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    answers,
    asked,
    git,
    async commit(name, files) {
      if (!existsSync(copy(name))) {
        await mkdir(copy(name), { recursive: true })
        const bare = join(root, 'served', `${name}.git`)
        await mkdir(bare, { recursive: true })
        execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=trunk', bare])
        git(name, 'init', '--quiet', '--initial-branch=trunk')
        git(name, 'remote', 'add', 'origin', bare)
      } else git(name, 'rm', '-r', '--quiet', '-f', '--ignore-unmatch', '.')
      for (const [path, content] of Object.entries(files)) await write(join(copy(name), path), content)
      git(name, 'add', '--all', '--force')
      git(name, 'commit', '--quiet', '--allow-empty', '-m', 'Change the site')
      git(name, 'push', '--quiet', 'origin', 'trunk')
    },
    async close() {
      await new Promise<void>((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      })
      await rm(root, { recursive: true, force: true })
    },
  }
}

async function write(path: string, content: Committed): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  if (typeof content === 'object' && 'link' in content) await symlink(content.link, path)
  else await writeFile(path, content)
}

function serve(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  { pathname, query }: { pathname: string; query: string },
): void {
  const env = {
    ...{ GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', PATH_INFO: pathname, QUERY_STRING: query },
    ...{ REQUEST_METHOD: request.method!, CONTENT_TYPE: request.headers['content-type'] ?? '' },
    ...(request.headers['content-length'] && { CONTENT_LENGTH: request.headers['content-length'] }),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
  }
  const child = spawn(GIT_BACKEND!, { env: { ...process.env, ...env } })
  const chunks: Buffer[] = []
  request.pipe(child.stdin).on('error', () => {})
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('close', () => answerOf(Buffer.concat(chunks), response))
}

/** Sends the output of a CGI program: headers, an empty line and the body. */
function answerOf(output: Buffer, response: ServerResponse): void {
  const end = output.indexOf('\r\n\r\n')
  const lines = output.toString('latin1', 0, Math.max(0, end)).split('\r\n')
  const headers = Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2) as [string, string]))
  const { Status: status = '200', ...others } = headers
  response.writeHead(Number.parseInt(status, 10), others).end(output.subarray(end + 4))
}
