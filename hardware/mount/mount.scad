// Camera mount: holds a camera 65 to 80 cm above a table, looking straight down. Two tubes from
// the hardware store and four printed parts: foot (clamps to the table's edge), elbow (from the
// upright tube to the arm), head (for a Pi camera module) or tripod head (for a USB camera).
// All measures in millimetres. Each part is printed as it lies here, without supports.
//
//   openscad -D 'part="head"' -o head.stl mount.scad        tools/mount.py makes all of them

part = "all";            // foot, elbow, head, tripod_head, or all to look at

/* [The table] */
height = 720;            // of the lens above the table: 650 to 800
table_thickest = 45;     // the clamp takes tables from 10 mm to this
reach = 350;             // from the table's edge to under the camera

/* [What you have] */
tube = 20;               // outer diameter of both tubes
camera_holes = [21, 12.5];  // between the holes of the Pi's camera module, 2 and 3
tripod_thread = 6.6;     // hole for a quarter-inch screw

/* [How it is printed] */
wall = 5;
play = 0.35;             // between printed part and tube
bolt = 4.4;              // M4, with its nut
nut = 7.3;
clamp_bolt = 8.4;        // M8, with its nut
clamp_nut = 13.4;

assert(height >= 650 && height <= 800, "height: 650 to 800 mm");
assert(tube >= 16 && tube <= 25, "tube: 16 to 25 mm");
assert(table_thickest >= 20 && table_thickest <= 60, "table_thickest: 20 to 60 mm");

$fn = 64;
bore = tube + 2 * play;
outer = bore + 2 * wall;
ear = 13;                // what the pinching bolt goes through
slit = 3;
gap_under = 25;          // from the arm's axis to the lens, about

echo(str("upright tube: ", height + gap_under + outer + 20, " mm, arm: ", reach + outer + 60, " mm"));

module nut_hole(across, depth) {
    cylinder(d = across / cos(30), h = depth, $fn = 6);
}

// A split ring around the z axis, `length` high, pinched by a bolt through its ears at +x.
module collar(length) {
    difference() {
        union() {
            cylinder(d = outer, h = length);
            translate([0, -(slit / 2 + wall), 0])
                cube([outer / 2 + ear, slit + 2 * wall, length]);
        }
        translate([0, 0, -1]) cylinder(d = bore, h = length + 2);
        translate([0, -slit / 2, -1]) cube([outer, slit, length + 2]);
        for (z = length > 35 ? [length / 4, length * 3 / 4] : [length / 2])
            translate([outer / 2 + ear / 2 - 1, 0, z]) rotate([90, 0, 0]) {
                translate([0, 0, -outer]) cylinder(d = bolt, h = 2 * outer);
                translate([0, 0, slit / 2 + wall - 2.5]) nut_hole(nut, outer);
            }
    }
}

// A collar lying along y, its ears up, on a base that reaches down to the bed.
module lying_collar(length) {
    difference() {
        union() {
            translate([0, 0, outer / 2]) rotate([-90, 0, 0]) rotate([0, 0, -90]) collar(length);
            translate([-outer / 2, 0, 0]) cube([outer, length, outer / 2]);
        }
        lying_bore(length);
    }
}

module lying_bore(length) {
    translate([0, -1, outer / 2]) rotate([-90, 0, 0]) cylinder(d = bore, h = length + 2);
}

// Clamps to the edge of the table; the upright tube stands in it. Lies on its side.
module foot() {
    deep = 50; jaw = 12; back = 14;
    wide = outer;
    opening = table_thickest + 8;
    socket = 70; above = 25;               // so much of the socket stands above the table
    difference() {
        union() {
            difference() {
                cube([back + deep, jaw * 2 + opening, wide]);
                translate([back, jaw, -1]) cube([deep + 1, opening, wide + 2]);
            }
            translate([2 - outer / 2, 2 * jaw + opening + above - socket, 0]) lying_collar(socket);
        }
        translate([2 - outer / 2, 2 * jaw + opening + above - socket, 0]) lying_bore(socket);
        // the bolt that presses against the table from below
        translate([back + deep * 0.6, -1, wide / 2]) rotate([-90, 0, 0]) {
            cylinder(d = clamp_bolt, h = jaw + 2);
            translate([0, 0, jaw + 1 - 6]) nut_hole(clamp_nut, 8);
        }
    }
}

// From the upright tube to the arm: two collars side by side, at right angles.
module elbow() {
    long = 40;
    apart = outer + 4;                     // room for a nut between them
    difference() {
        union() {
            collar(long);
            translate([long / 2, apart, 0]) rotate([0, 0, 90]) lying_collar(long);
            translate([-outer / 2, 0, 0]) cube([outer, apart, outer * 0.8]);
        }
        translate([0, 0, -1]) cylinder(d = bore, h = long + 2);
        translate([0, -slit / 2, -1]) cube([outer, slit, long + 2]);
        translate([long / 2, apart, 0]) rotate([0, 0, 90]) lying_bore(long);
    }
}

module head_body(plate_x, plate_y) {
    thick = 4; long = 30;
    // the arm lies in the collar along y; the plate hangs under it
    difference() {
        union() {
            translate([-plate_x / 2, -plate_y / 2, 0]) cube([plate_x, plate_y, thick]);
            translate([0, plate_y / 2 - 0.01, thick]) lying_collar(long);
            translate([-outer / 2, plate_y / 2 - 0.01, 0]) cube([outer, long, thick]);
        }
        translate([0, plate_y / 2, thick]) lying_bore(long);
        children();
    }
}

// For a Pi camera module: the board on top of the plate, the lens through the hole, looking down.
module head() {
    head_body(33, 34) {
        for (x = [-1, 1], y = [-1, 1])
            translate([x * camera_holes[0] / 2, y * camera_holes[1] / 2, -1]) cylinder(d = 2.3, h = 9, $fn = 24);
        translate([-7, -12, -1]) cube([14, 20, 9]);          // the lens, wherever the board has it
        translate([-9, -18, 2.4]) cube([18, 10, 3]);         // room for the cable's connector
    }
}

// For a USB camera with a tripod thread, hanging upside down from a short quarter-inch screw.
module tripod_head() {
    head_body(34, 34) {
        translate([0, 0, -1]) cylinder(d = tripod_thread, h = 9);
    }
}

if (part == "foot") foot();
else if (part == "elbow") elbow();
else if (part == "head") head();
else if (part == "tripod_head") tripod_head();
else {
    foot();
    translate([110, 20, 0]) elbow();
    translate([190, 20, 0]) head();
    translate([250, 20, 0]) tripod_head();
}
