/** The most common names; unknown ones are shown as written. */
const table = `
+1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 wave 👋 clap 👏 pray 🙏 raised_hands 🙌 ok_hand 👌 muscle 💪 eyes 👀 point_right 👉
point_left 👈 point_up 👆 point_down 👇 smile 😄 smiley 😃 grinning 😀 slightly_smiling_face 🙂 joy 😂 thinking_face 🤔 thinking 🤔
sob 😭 cry 😢 heart_eyes 😍 sunglasses 😎 sweat_smile 😅 wink 😉 neutral_face 😐 confused 😕 tada 🎉 confetti_ball 🎊 rocket 🚀
fire 🔥 sparkles ✨ star ⭐ star2 🌟 zap ⚡ boom 💥 bulb 💡 heart ❤️ broken_heart 💔 100 💯 trophy 🏆 medal 🏅 gift 🎁 dart 🎯
white_check_mark ✅ heavy_check_mark ✔️ ballot_box_with_check ☑️ x ❌ negative_squared_cross_mark ❎ no_entry ⛔ no_entry_sign 🚫
warning ⚠️ rotating_light 🚨 exclamation ❗ heavy_exclamation_mark ❗ question ❓ grey_question ❔ information_source ℹ️ sos 🆘
red_circle 🔴 large_red_circle 🔴 large_orange_circle 🟠 large_yellow_circle 🟡 large_green_circle 🟢 large_blue_circle 🔵
large_purple_circle 🟣 large_brown_circle 🟤 black_circle ⚫ white_circle ⚪ red_square 🟥 large_red_square 🟥 large_orange_square 🟧
large_yellow_square 🟨 large_green_square 🟩 large_blue_square 🟦 white_large_square ⬜ black_large_square ⬛ small_blue_diamond 🔹
small_orange_diamond 🔸 large_blue_diamond 🔷 large_orange_diamond 🔶 small_red_triangle 🔺 small_red_triangle_down 🔻
arrow_up ⬆️ arrow_down ⬇️ arrow_right ➡️ arrow_left ⬅️ arrow_upper_right ↗️ arrow_lower_right ↘️ arrow_up_small 🔼
arrow_down_small 🔽 arrow_forward ▶️ arrow_backward ◀️ fast_forward ⏩ rewind ⏪ arrows_counterclockwise 🔄 repeat 🔁
double_vertical_bar ⏸️ pause_button ⏸️ black_square_for_stop ⏹️ heavy_plus_sign ➕ heavy_minus_sign ➖
bar_chart 📊 chart_with_upwards_trend 📈 chart_with_downwards_trend 📉 calendar 📆 date 📅 spiral_calendar_pad 🗓️
clipboard 📋 memo 📝 pencil 📝 pencil2 ✏️ page_facing_up 📄 page_with_curl 📃 file_folder 📁 open_file_folder 📂 card_index 📇
paperclip 📎 pushpin 📌 round_pushpin 📍 link 🔗 label 🏷️ bookmark 🔖 book 📖 books 📚 newspaper 📰 mag 🔍 mag_right 🔎
lock 🔒 unlock 🔓 closed_lock_with_key 🔐 key 🔑 shield 🛡️ gear ⚙️ wrench 🔧 hammer 🔨 hammer_and_wrench 🛠️ nut_and_bolt 🔩
toolbox 🧰 test_tube 🧪 microscope 🔬 telescope 🔭 computer 💻 desktop_computer 🖥️ keyboard ⌨️ floppy_disk 💾 cd 💿 satellite 🛰️
robot_face 🤖 robot 🤖 bust_in_silhouette 👤 busts_in_silhouette 👥 office 🏢 house 🏠 moneybag 💰 credit_card 💳 dollar 💵
coin 🪙 receipt 🧾 package 📦 inbox_tray 📥 outbox_tray 📤 email 📧 envelope ✉️ incoming_envelope 📨 mailbox 📫 bell 🔔
no_bell 🔕 loudspeaker 📢 mega 📣 speech_balloon 💬 thought_balloon 💭 hourglass ⌛ hourglass_flowing_sand ⏳ stopwatch ⏱️
timer_clock ⏲️ alarm_clock ⏰ watch ⌚ clock1 🕐 clock9 🕘 clock12 🕛 sunrise 🌅 sunny ☀️ partly_sunny ⛅ cloud ☁️
rainbow 🌈 snowflake ❄️ seedling 🌱 herb 🌿 evergreen_tree 🌲 bug 🐛 ant 🐜 bee 🐝 turtle 🐢 snail 🐌 construction 🚧
traffic_light 🚥 vertical_traffic_light 🚦 checkered_flag 🏁 triangular_flag_on_post 🚩 white_flag 🏳️ octagonal_sign 🛑
recycle ♻️ infinity ♾️ new 🆕 free 🆓 up 🆙 ok 🆗 cool 🆒 one 1️⃣ two 2️⃣ three 3️⃣ four 4️⃣ five 5️⃣ six 6️⃣ seven 7️⃣
eight 8️⃣ nine 9️⃣ keycap_ten 🔟 zero 0️⃣ hash #️⃣ first_place_medal 🥇 second_place_medal 🥈 third_place_medal 🥉
coffee ☕ pizza 🍕 cake 🍰 birthday 🎂 beers 🍻 zzz 💤 crystal_ball 🔮 compass 🧭 world_map 🗺️ globe_with_meridians 🌐
ship 🚢 anchor ⚓ airplane ✈️ car 🚗 bike 🚲 ghost 👻 skull 💀 wastebasket 🗑️ scissors ✂️ jigsaw 🧩 ladder 🪜 magnet 🧲
`;

const words = table.trim().split(/\s+/);
const emojiByName = new Map<string, string>();
for (let index = 0; index + 1 < words.length; index += 2) emojiByName.set(words[index] ?? '', words[index + 1] ?? '');

/** Returns the character for an emoji's name (`white_check_mark`); null if unknown. */
export function emojiCharacter(name: string): string | null {
  return emojiByName.get(name) ?? null;
}
