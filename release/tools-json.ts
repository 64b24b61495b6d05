import { TOOL_LIST } from '../src/mcp/endpoint/tool-list.ts'

/** Returns the tools byte for byte as `tools/list` answers them, so that their checksum tells whether a service has others. */
export function toolsJson(): string {
  return JSON.stringify(TOOL_LIST)
}
