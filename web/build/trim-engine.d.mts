import type {Plugin} from 'esbuild';

export declare const trimEngine: Plugin;
export declare function withoutProse(source: string): string;
