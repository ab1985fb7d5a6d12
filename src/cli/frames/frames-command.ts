import { Command } from 'commander'
import type { CliContext } from '../cli-context.ts'
import { bakeFramesCommand } from './frames-bake.ts'
import { listFramesCommand } from './frames-list.ts'
import { pullFramesCommand } from './frames-pull.ts'
import { pushFramesCommand } from './frames-push.ts'
import { showFrameCommand } from './frames-show.ts'

/** `frames list|show|pull|push|bake`: frames, and folders of them. */
export function framesCommand(context: CliContext): Command {
  const frames = new Command('frames').description('frames, and folders of them')
  for (const command of [
    listFramesCommand,
    showFrameCommand,
    pullFramesCommand,
    pushFramesCommand,
    bakeFramesCommand,
  ]) {
    frames.addCommand(command(context))
  }
  return frames
}
