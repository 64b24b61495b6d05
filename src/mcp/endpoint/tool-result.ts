import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ToolAnswer } from '../answer.ts'

/** Returns the body both as `structuredContent` and as text, because some clients show the model only one of the two. */
export function toResult({ body, isError }: ToolAnswer): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(body) }],
    structuredContent: body,
    ...(isError && { isError }),
  }
}
