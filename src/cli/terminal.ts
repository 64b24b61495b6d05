/** What a command needs of the process around it. */
export interface Terminal {
  args: string[]
  environment: Record<string, string | undefined>
  /** Where the person who typed the command is: relative names of files are meant from there. */
  directory: string
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  print(text: string): void
  complain(text: string): void
  /** Calls `stop` when the process is asked to end. */
  onStop(stop: () => void): void
}

/** Rows of cells as lines, each column as wide as its widest cell. */
export function inColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}

/** Prints rows in columns, or complains that there are none. */
export function printRows(terminal: Terminal, rows: string[][], none: string): void {
  for (const line of inColumns(rows)) terminal.print(line)
  if (rows.length === 0) terminal.complain(none)
}
