// A thousand balls fall on a world and come to rest: on its land, to a millimeter, or on what stands there; none falls through.
//
//     physics yard.world
#include <cstdio>
#include <cstring>

#include "bullet_world.hpp"

static const int COUNT = 1024, SIDE = 32, STEPS_A_SECOND = 240, SECONDS = 6;
static const btScalar RADIUS = btScalar(0.1), APART = btScalar(2);
static const double MOST_OFF = 0.001; // meters

// Bullet's own parts, in the order in which they need each other.
struct Physics {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
};

struct Ball {
    btSphereShape shape{RADIUS};
    std::unique_ptr<btRigidBody> body;
    double land = 1, solid = 1; // how far it is off what it touches, meters; 1: it does not
};

// They meet the world and not each other: a ball on a ball is on neither.
static std::vector<std::unique_ptr<Ball>> drop(btDynamicsWorld &dynamics, btScalar height) {
    std::vector<std::unique_ptr<Ball>> balls;
    for (int i = 0; i < COUNT; i++) {
        auto ball = std::make_unique<Ball>();
        btVector3 inertia, at((btScalar(i % SIDE) - SIDE / 2 + btScalar(0.5)) * APART, height, (btScalar(i / SIDE) - SIDE / 2 + btScalar(0.5)) * APART);
        ball->shape.calculateLocalInertia(1, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, &ball->shape, inertia);
        info.m_startWorldTransform = btTransform(btQuaternion::getIdentity(), at);
        info.m_friction = 1;
        info.m_rollingFriction = btScalar(0.1);
        info.m_angularDamping = btScalar(0.6);
        ball->body = std::make_unique<btRigidBody>(info);
        dynamics.addRigidBody(ball->body.get(), btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::StaticFilter);
        ball->body->setUserPointer(ball.get());
        balls.push_back(std::move(ball));
    }
    return balls;
}

static void read_contacts(btDispatcher &dispatcher, const btCollisionObject *ground) {
    for (int i = 0; i < dispatcher.getNumManifolds(); i++) {
        const btPersistentManifold *touch = dispatcher.getManifoldByIndexInternal(i);
        bool first = touch->getBody0()->getUserPointer() != nullptr;
        const btCollisionObject *other = first ? touch->getBody1() : touch->getBody0();
        Ball *ball = static_cast<Ball *>((first ? touch->getBody0() : touch->getBody1())->getUserPointer());
        double &off = other == ground ? ball->land : ball->solid;
        for (int k = 0; ball && k < touch->getNumContacts(); k++) {
            double distance = double(touch->getContactPoint(k).getDistance());
            if (std::fabs(distance) < std::fabs(off)) off = distance;
        }
    }
}

// The place of a triangle that is nearest to p (Ericson, "Real-Time Collision Detection", 5.1.5).
static btVector3 nearest(const btVector3 &p, const btVector3 &a, const btVector3 &b, const btVector3 &c) {
    btVector3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    btScalar d1 = ab.dot(ap), d2 = ac.dot(ap), d3 = ab.dot(bp), d4 = ac.dot(bp), d5 = ab.dot(cp), d6 = ac.dot(cp);
    btScalar u = d3 * d6 - d5 * d4, v = d5 * d2 - d1 * d6, w = d1 * d4 - d3 * d2;
    if (d1 <= 0 && d2 <= 0) return a;
    if (d3 >= 0 && d4 <= d3) return b;
    if (w <= 0 && d1 >= 0 && d3 <= 0) return a + ab * (d1 / (d1 - d3));
    if (d6 >= 0 && d5 <= d6) return c;
    if (v <= 0 && d2 >= 0 && d6 <= 0) return a + ac * (d2 / (d2 - d6));
    if (u <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return b + (c - b) * ((d4 - d3) / (d4 - d3 + d5 - d6));
    return a + ab * (v / (u + v + w)) + ac * (w / (u + v + w));
}

// How far a ball is off the ground that land.height answers: the triangles of the squares round it.
static double off_land(const WorldScene &scene, const btVector3 &at) {
    const WorldGridView &land = scene.land;
    int i = int((double(at.x()) - land.x0) / land.cell) - 1, j = int((double(at.z()) - land.z0) / land.cell) - 1;
    float points[16 * 3];
    uint32_t corners[9 * 6];
    if (world_solids_land(&scene, i, j, i + 3, j + 3, points, corners) != WORLD_OK) return 1;
    btScalar best = 1;
    for (int t = 0; t < 18; t++) {
        btVector3 corner[3];
        for (int k = 0; k < 3; k++) {
            const float *p = points + 3 * corners[3 * t + k];
            corner[k] = btVector3(p[0], p[1], p[2]);
        }
        best = btMin(best, (at - nearest(at, corner[0], corner[1], corner[2])).length());
    }
    return double(best - RADIUS);
}

struct Counts {
    int land, solids, moving, fallen;
    double worst; // of those on the land, how far one is off it, meters
};

static Counts count(World *world, const WorldScene &scene, WorldFunction height, const std::vector<std::unique_ptr<Ball>> &balls) {
    Counts counts = {};
    for (const auto &ball : balls) {
        const btVector3 at = ball->body->getWorldTransform().getOrigin();
        double xz[2] = {double(at.x()), double(at.z())}, ground = 0;
        if (world_heights(world, height, 1, xz, &ground) != WORLD_OK || double(at.y()) < ground) counts.fallen++;
        if (ball->body->getLinearVelocity().length() > btScalar(0.02)) counts.moving++;
        if (std::fabs(ball->land) < MOST_OFF) {
            counts.land++;
            counts.worst = std::fmax(counts.worst, std::fabs(off_land(scene, at)));
        } else if (std::fabs(ball->solid) < MOST_OFF) {
            counts.solids++;
        }
    }
    return counts;
}

static int run(World *world) {
    const WorldSolids *solids;
    WorldFunction height;
    if (world_solids(world, &solids) != WORLD_OK || world_function(world, "land.height", "fn(point) meters", &height) != WORLD_OK) return 1;
    Physics physics;
    physics.dynamics.setGravity(btVector3(0, btScalar(-9.81), 0));
    BulletWorld bodies(physics.dynamics);
    bodies.add(*solids);
    auto balls = drop(physics.dynamics, 14);
    for (int step = 0; step < STEPS_A_SECOND * SECONDS; step++) physics.dynamics.stepSimulation(btScalar(1) / STEPS_A_SECOND, 0);
    physics.dynamics.performDiscreteCollisionDetection(); // of where they are now, also those that sleep
    read_contacts(physics.dispatcher, bodies.ground());
    Counts counts = count(world, *solids->scene, height, balls);
    std::printf("%d on the land, %d on what stands there, %d still move, %d fell through; %.3f mm off land.height at most\n", counts.land, counts.solids, counts.moving, counts.fallen,
                counts.worst * 1000);
    for (auto &ball : balls) physics.dynamics.removeRigidBody(ball->body.get());
    return counts.fallen == 0 && counts.moving == 0 && counts.land + counts.solids == COUNT && counts.solids > 20 && counts.worst < MOST_OFF ? 0 : 1;
}

int main(int argc, char **argv) {
    WorldEngine *engine;
    World *world = nullptr;
    WorldEngineDesc engine_desc = {};
    WorldDesc desc = {};
    if (argc < 2 || world_engine_create(&engine_desc, &engine) != WORLD_OK) return 2;
    int code = world_open_file(engine, argv[1], &desc, &world) == WORLD_OK ? run(world) : 1;
    std::fputs(world_diagnostics_text(engine, world, WORLD_STYLE_HUMAN), stderr);
    world_engine_destroy(engine);
    return code;
}
