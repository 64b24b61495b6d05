export function findServerPrograms(): string | null
export function startServer(programs: string, undo: (() => unknown)[]): Promise<{ url: string; version: string }>
