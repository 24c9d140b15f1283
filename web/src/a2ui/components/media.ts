/** Video and AudioPlayer: not in a chat, which loads nothing from anywhere. Said, not hidden. */

import {AudioPlayerApi, VideoApi} from '@a2ui/web_core/v0_9';

import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import {renderRefusal} from '../refusal.ts';

class VideoElement extends SurfaceElement<typeof VideoApi> {
  protected override readonly api = VideoApi;

  protected override draw(): unknown {
    return renderRefusal(this.host.language.t('surface.video'));
  }
}

class AudioElement extends SurfaceElement<typeof AudioPlayerApi> {
  protected override readonly api = AudioPlayerApi;

  protected override draw(): unknown {
    return renderRefusal(this.host.language.t('surface.audio'));
  }
}

export const VIDEO = define(VideoApi, 'maya-a2-video', VideoElement);
export const AUDIO = define(AudioPlayerApi, 'maya-a2-audio', AudioElement);
