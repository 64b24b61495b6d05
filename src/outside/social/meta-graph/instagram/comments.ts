import { z } from 'zod'
import type { Graph } from '../api.ts'
import { sameWords } from '../earlier.ts'
import { Id, listOf } from '../shapes.ts'

const Own = listOf(z.object({ id: z.string(), text: z.string().optional(), username: z.string().optional() }))

interface Answer {
  /** `/<media>/comments`, or `/<comment>/replies`. */
  edge: string
  text: string
  /** An earlier try may have written it. */
  again: boolean
  /** Of the account that writes. */
  username: string | null
}

/** Writes a comment or an answer, once: where an earlier try may have written it, it is looked for. */
export async function answerOnce(graph: Graph, { edge, text, again, username }: Answer): Promise<string> {
  if (again) {
    const { data } = await graph.get(edge, Own, { fields: 'id,text,username', limit: '50' })
    const known = data.find((one) => one.username === username && sameWords(one.text, text))
    if (known) return known.id
  }
  return (await graph.post(edge, Id, { message: text })).id
}
