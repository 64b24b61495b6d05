import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ToolAnswer } from '../answer.ts'

/** Some clients show the model only one of the two, so both have the same content. */
export function toResult({ body, isError }: ToolAnswer): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(body) }],
    structuredContent: body,
    ...(isError && { isError }),
  }
}
