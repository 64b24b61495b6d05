import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ToolAnswer } from '../answer.ts'

/** Several clients show the model only one of the two, so both hold the same. */
export function toResult({ body, isError }: ToolAnswer): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(body) }],
    structuredContent: body,
    ...(isError && { isError }),
  }
}
