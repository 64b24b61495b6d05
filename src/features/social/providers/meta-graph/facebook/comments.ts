import { z } from 'zod'
import { type Graph, Id, listOf, part } from '../api.ts'
import { sameWords } from '../earlier.ts'

const NEWEST = 50

const Own = listOf(
  z.object({ id: z.string(), message: z.string().optional(), from: z.object({ id: z.string() }).optional() }),
)

interface ReplyRequest {
  to: string
  text: string
  /** Whether an earlier attempt may have replied. */
  again: boolean
  page: string | undefined
}

/** Replies to a post or comment as the page. If an earlier attempt may have replied, looks for that reply first. */
export async function answerOnce(graph: Graph, { to, text, again, page }: ReplyRequest): Promise<string> {
  const path = `/${part(to)}/comments`
  if (again) {
    const fields = 'id,message,from{id}'
    const { data } = await graph.get(path, Own, { fields, order: 'reverse_chronological', limit: String(NEWEST) })
    const known = data.find((one) => one.from?.id === page && sameWords(one.message, text))
    if (known) return known.id
  }
  return (await graph.post(path, Id, { message: text })).id
}
