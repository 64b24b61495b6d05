import type { Body } from './network-server.ts'

type State = 'EXPIRED' | 'ERROR' | 'FINISHED' | 'IN_PROGRESS' | 'PUBLISHED'

/** A media container, which becomes a post when it is published. */
export interface Container {
  id: string
  /** The parameters of the request that created it, without the token. */
  form: Record<string, string>
  state: State
  /** The reason why it cannot be published, or null. */
  words: string | null
  children: string[]
}

/** The containers of an account. The network fetches their files from public URLs without credentials. */
export class Containers {
  readonly all: Container[] = []
  /** The fetched files, in order. */
  readonly fetched: { type: string; bytes: number }[] = []
  readonly #types: Record<'image' | 'video', readonly string[]>
  #made = 17_900

  constructor(types: Record<'image' | 'video', readonly string[]>) {
    this.#types = types
  }

  make(form: Record<string, string>): Container {
    const children = form.children?.split(',') ?? []
    const container: Container = { id: String(++this.#made), form, state: 'IN_PROGRESS', words: null, children }
    this.all.push(container)
    void this.#work(container)
    return container
  }

  find(id: string): Container | undefined {
    return this.all.find((one) => one.id === id)
  }

  async #work(container: Container): Promise<void> {
    const { image_url, video_url } = container.form
    const [url, kind] = image_url === undefined ? [video_url, 'video' as const] : [image_url, 'image' as const]
    if (url !== undefined) container.words = await this.#fetch(url, kind)
    container.state = container.words === null ? 'FINISHED' : 'ERROR'
  }

  async #fetch(url: string, kind: 'image' | 'video'): Promise<string | null> {
    const answer = await fetch(url, { redirect: 'error' }).catch(() => null)
    const type = answer?.headers.get('content-type') ?? ''
    if (!answer?.ok) return 'The media could not be fetched from this URI.'
    this.fetched.push({ type, bytes: (await answer.arrayBuffer()).byteLength })
    return this.#types[kind].includes(type) ? null : `Only ${this.#types[kind].join(', ')} can be used.`
  }
}

/** Wraps items in a list response of the Graph API. */
export function listed(data: Body[]): Body {
  return { data, paging: { cursors: { before: 'b', after: 'a' } } }
}
