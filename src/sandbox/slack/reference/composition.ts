/** https://docs.slack.dev/reference/block-kit/composition-objects */
import { boolean, choice, list, object, pick, string, typed, type Members, type Shape, type Types } from './shape.ts';

/** The page gives 255 characters, and Slack's JSON schema of `blocks` at least one. */
export const blockId = string(255);
export const actionId = string(255);

/** /text-object */
const texts = (max: number) => ({
  plain_text: { needs: { text: string(max) }, may: { emoji: boolean } },
  mrkdwn: { needs: { text: string(max) }, may: { verbatim: boolean } },
});
/** For a list in which text objects appear beside elements. */
export const textTypes: Types = texts(3_000);
export const anyText = (max = 3_000): Shape => typed(texts(max));
export const plainText = (max = 3_000): Shape => typed(pick(texts(max), 'plain_text'));

/**
 * /confirmation-dialog-object. The page asks for `plain_text` in `text`, Slack's types and SDKs for either kind. Apps
 * send both.
 */
export const confirmation = object({
  needs: { title: plainText(100), text: anyText(300), confirm: plainText(30), deny: plainText(30) },
  may: { style: choice('primary', 'danger') },
});

/** /option-object. The page allows 150 characters of `value`, `@slack/types` 75; Slack refused 151. */
const option = (text: Shape, more: Members['may'] = {}): Shape =>
  object({ needs: { text, value: string(150) }, may: { description: plainText(75), ...more } });
export const menuOption = option(plainText(75));
/** Of checkboxes and radio buttons. */
export const boxOption = option(anyText(75));
/** Of an overflow menu. */
export const linkOption = option(plainText(75), { url: string(3_000) });

/** /option-group-object */
export const optionGroup = object({ needs: { label: plainText(75), options: list(menuOption, 100) } });

/** /conversation-filter-object */
export const conversationFilter = object({
  may: {
    include: list(choice('im', 'mpim', 'private', 'public')),
    exclude_external_shared_channels: boolean,
    exclude_bot_users: boolean,
  },
  rules: [{ rule: 'at least one', of: ['include', 'exclude_external_shared_channels', 'exclude_bot_users'] }],
});

/** /dispatch-action-configuration-object */
export const dispatchActionConfig = object({
  may: { trigger_actions_on: list(choice('on_enter_pressed', 'on_character_entered'), 2) },
});

/** /slack-file-object */
export const slackFile = object({
  may: { id: string(), url: string(3_000) },
  rules: [
    { rule: 'at least one', of: ['id', 'url'] },
    { rule: 'at most one', of: ['id', 'url'] },
  ],
});

/** /trigger-object, /workflow-object */
export const workflow = object({
  needs: {
    trigger: object({
      needs: { url: string() },
      may: { customizable_input_parameters: list(object({ needs: { name: string(), value: string() } })) },
    }),
  },
});
