const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(\?[^#]*)?$/i

/**
 * Returns one URL for each host of `postgres://user:password@one:5432,two:5432/name`, in order. A URL with one host is returned
 * unchanged. `target_session_attrs` is removed, because connections to a standby are refused anyway.
 */
export function urlsOf(url: string): string[] {
  const [, start, hosts, path = '', query = ''] = PARTS.exec(url) ?? []
  if (start === undefined || hosts === undefined) return [url]
  const rest = path + withoutTarget(query)
  return hosts.split(',').map((host) => start + host.trim() + rest)
}

function withoutTarget(query: string): string {
  const kept = query
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('target_session_attrs='))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

/** Chooses the server for new connections: the last one that accepted a connection, until it fails. */
export class Hosts {
  readonly #urls: string[]
  current: string

  constructor(url: string) {
    this.#urls = urlsOf(url)
    this.current = this.#urls[0] ?? url
  }

  get count(): number {
    return this.#urls.length
  }

  /** Switches from a server that failed to the next one, unless another connection has already switched. */
  leave(url: string): void {
    if (this.current === url) this.current = this.#urls[(this.#urls.indexOf(url) + 1) % this.count] ?? url
  }
}
