/** Codes of emoji that senders use, with Slack's names, and what they stand for. Others stay as they are written. */
const codes = `
+1 👍, thumbsup 👍, -1 👎, thumbsdown 👎, ok_hand 👌, clap 👏, wave 👋, pray 🙏, muscle 💪, raised_hands 🙌, point_right 👉, point_left 👈
point_up 👆, point_down 👇, eyes 👀, brain 🧠, smile 😄, smiley 😃, grinning 😀, grin 😁, laughing 😆, joy 😂, slightly_smiling_face 🙂
wink 😉, blush 😊, heart_eyes 😍, sunglasses 😎, thinking_face 🤔, neutral_face 😐, confused 😕, worried 😟, disappointed 😞, cry 😢, sob 😭
scream 😱, rage 😡, sweat_smile 😅, skull 💀, ghost 👻, alien 👽, robot_face 🤖, robot 🤖, poop 💩, tada 🎉, confetti_ball 🎊
partying_face 🥳, sleeping 😴, zzz 💤, heart ❤️, green_heart 💚, blue_heart 💙, yellow_heart 💛, broken_heart 💔, star ⭐, star2 🌟
sparkles ✨, fire 🔥, boom 💥, collision 💥, zap ⚡, 100 💯, trophy 🏆, medal 🏅, crown 👑, gem 💎, gift 🎁, balloon 🎈, white_check_mark ✅
heavy_check_mark ✔️, ballot_box_with_check ☑️, x ❌, negative_squared_cross_mark ❎, heavy_multiplication_x ✖️, o ⭕, no_entry ⛔
no_entry_sign 🚫, warning ⚠️, rotating_light 🚨, exclamation ❗, heavy_exclamation_mark ❗, bangbang ‼️, question ❓, grey_question ❔
information_source ℹ️, sos 🆘, octagonal_sign 🛑, construction 🚧, radioactive_sign ☢️, biohazard_sign ☣️, recycle ♻️, new 🆕, up 🆙
ok 🆗, cool 🆒, free 🆓, red_circle 🔴, large_red_circle 🔴, orange_circle 🟠, large_orange_circle 🟠, yellow_circle 🟡
large_yellow_circle 🟡, green_circle 🟢, large_green_circle 🟢, large_blue_circle 🔵, blue_circle 🔵, purple_circle 🟣
large_purple_circle 🟣, white_circle ⚪, black_circle ⚫, red_square 🟥, large_red_square 🟥, large_orange_square 🟧
large_yellow_square 🟨, large_green_square 🟩, large_blue_square 🟦, black_square_button 🔲, small_red_triangle 🔺
small_red_triangle_down 🔻, small_blue_diamond 🔹, small_orange_diamond 🔸, arrow_up ⬆️, arrow_down ⬇️, arrow_left ⬅️, arrow_right ➡️
arrow_upper_right ↗️, arrow_lower_right ↘️, arrow_forward ▶️, arrows_counterclockwise 🔄, leftwards_arrow_with_hook ↩️
arrow_right_hook ↪️, repeat 🔁, fast_forward ⏩, rewind ⏪, black_right_pointing_triangle_with_double_vertical_bar ⏯️
double_vertical_bar ⏸️, pause_button ⏸️, black_square_for_stop ⏹️, heavy_plus_sign ➕, heavy_minus_sign ➖, wavy_dash 〰️, rocket 🚀
airplane ✈️, ship 🚢, boat ⛵, sailboat ⛵, anchor ⚓, ambulance 🚑, fire_engine 🚒, police_car 🚓, truck 🚚, package 📦, hammer 🔨
wrench 🔧, hammer_and_wrench 🛠️, gear ⚙️, nut_and_bolt 🔩, construction_worker 👷, toolbox 🧰, test_tube 🧪, microscope 🔬, telescope 🔭
satellite 🛰️, satellite_antenna 📡, battery 🔋, electric_plug 🔌, bulb 💡, flashlight 🔦, magnet 🧲, mag 🔍, mag_right 🔎, bug 🐛
ladybug 🐞, beetle 🐞, ant 🐜, spider_web 🕸️, computer 💻, desktop_computer 🖥️, keyboard ⌨️, printer 🖨️, floppy_disk 💾, cd 💿
minidisc 💽, file_cabinet 🗄️, card_file_box 🗃️, wastebasket 🗑️, file_folder 📁, open_file_folder 📂, page_facing_up 📄
page_with_curl 📃, memo 📝, pencil 📝, pencil2 ✏️, clipboard 📋, pushpin 📌, round_pushpin 📍, paperclip 📎, link 🔗
chart_with_upwards_trend 📈, chart_with_downwards_trend 📉, bar_chart 📊, calendar 📅, date 📅, spiral_calendar_pad 🗓️, label 🏷️
bookmark 🔖, books 📚, book 📖, notebook 📓, newspaper 📰, email 📧, e-mail 📧, envelope ✉️, incoming_envelope 📨, inbox_tray 📥
outbox_tray 📤, mailbox 📫, speech_balloon 💬, thought_balloon 💭, loudspeaker 📢, mega 📣, bell 🔔, no_bell 🔕, phone ☎️, iphone 📱, tv 📺
camera 📷, lock 🔒, unlock 🔓, closed_lock_with_key 🔐, key 🔑, shield 🛡️, moneybag 💰, dollar 💵, credit_card 💳, shopping_trolley 🛒
hourglass ⌛, hourglass_flowing_sand ⏳, watch ⌚, alarm_clock ⏰, stopwatch ⏱️, timer_clock ⏲️, clock1 🕐, clock12 🕛, sunny ☀️
partly_sunny ⛅, cloud ☁️, rain_cloud 🌧️, snowflake ❄️, thermometer 🌡️, droplet 💧, ocean 🌊, rainbow 🌈, umbrella ☔, tornado 🌪️
earth_africa 🌍, earth_americas 🌎, globe_with_meridians 🌐, crescent_moon 🌙, seedling 🌱, herb 🌿, four_leaf_clover 🍀
cherry_blossom 🌸, christmas_tree 🎄, whale 🐳, whale2 🐋, elephant 🐘, penguin 🐧, snake 🐍, crab 🦀, octopus 🐙, octocat 🐙, cat 🐱, dog 🐶
bear 🐻, panda_face 🐼, monkey 🐒, see_no_evil 🙈, unicorn_face 🦄, turtle 🐢, snail 🐌, honeybee 🐝, bee 🐝, fish 🐟, tropical_fish 🐠
bird 🐦, owl 🦉, dragon 🐉, coffee ☕, tea 🍵, beer 🍺, beers 🍻, pizza 🍕, cake 🍰, birthday 🎂, cookie 🍪, apple 🍎, banana 🍌, lemon 🍋
art 🎨, musical_note 🎵, headphones 🎧, game_die 🎲, dart 🎯, checkered_flag 🏁, triangular_flag_on_post 🚩, white_flag 🏳️, house 🏠
office 🏢, factory 🏭, hospital 🏥, school 🏫, bank 🏦, traffic_light 🚦, vertical_traffic_light 🚦, busts_in_silhouette 👥
bust_in_silhouette 👤, man-shrugging 🤷, shrug 🤷, facepalm 🤦, one 1️⃣, two 2️⃣, three 3️⃣, four 4️⃣, five 5️⃣, six 6️⃣, seven 7️⃣
eight 8️⃣, nine 9️⃣, zero 0️⃣, keycap_ten 🔟, hash #️⃣
`;

const emoji = new Map(
  codes
    .trim()
    .split(/,\s|\n/)
    .map((pair) => pair.split(" ") as [string, string]),
);

/** @param name without colons */
export function emojiOf(name: string): string | undefined {
  return emoji.get(name);
}
