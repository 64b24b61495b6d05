import { readFileSync } from 'node:fs'
import { BASE, sheets } from '../parts/stylesheet.ts'

const STYLES = [
  ...BASE,
  ...sheets(import.meta.url, ...['base', 'buttons', 'cards', 'text', 'tables'].map(ofKit)),
  ...sheets(import.meta.url, '../dashboard/agents/plans', 'frame'),
]

/** In force whatever the client's own policy allows: the page can neither load nor send anything. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** The page that a client shows in a frame, with all that it needs in one file. `publicUrl` has no slash at its end. */
export function pageOf(publicUrl: string): string {
  const style = STYLES.map(text).join('\n')
  const script = text(new URL('./frame.js', import.meta.url))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plan</title>
<style>
${style}</style>
</head>
<body>
<main aria-live="polite" aria-busy="true"></main>
<template><p>This client did not pass on what there is to show. Plans wait for a decision in <a href="${publicUrl}/dashboard">the dashboard</a>.</p></template>
<script type="module">
${script}</script>
</body>
</html>
`
}

function ofKit(name: string): string {
  return `../dashboard/kit/styles/${name}`
}

function text(file: URL): string {
  return readFileSync(file, 'utf8')
}
